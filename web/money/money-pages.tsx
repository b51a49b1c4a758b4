import { hasFeature } from '#backend/configuration.ts'
import { useAddress } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { useCurrentInView } from '#ui/use-current-in-view.ts'
import { moneyCopy } from './copy.ts'

/** Pages about the customer's money that go beyond the specification, in the order in which every menu lists them. */
export const moneyPages = () =>
  [
    ...(hasFeature('transferencias') ? [{ to: '/transferencias', label: moneyCopy.transfers } as const] : []),
    { to: '/resumen', label: moneyCopy.overview },
    { to: '/presupuesto', label: moneyCopy.budget },
    { to: '/recurrentes', label: moneyCopy.recurring },
    { to: '/extractos', label: moneyCopy.statements },
    { to: '/categorias', label: moneyCopy.categories },
  ] as const

/**
 * Links to the pages that `moneyPages` returns. The links are shown below the heading of the dashboard and of each
 * linked page. On a phone, the row of links scrolls.
 */
export function MoneyPages() {
  const { pathname } = useAddress()
  const list = useCurrentInView<HTMLUListElement>('[aria-current]', pathname)
  return (
    <nav aria-label={moneyCopy.pages} className="-mx-3 overflow-x-auto px-3 print:hidden">
      <ul ref={list} className="flex w-max gap-2">
        {moneyPages().map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={pathname === to ? 'page' : undefined}
              className={`flex min-h-9 items-center rounded-full border border-transparent px-3 text-sm font-medium hover:underline ${pathname === to ? 'bg-primary text-on-primary' : 'bg-primary-soft text-primary'}`}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
