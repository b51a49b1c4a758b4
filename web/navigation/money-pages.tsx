import { hasFeature } from '#api/configuration.ts'
import { useAddress } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { useCurrentInView } from '#ui/use-current-in-view.ts'
import { navigationCopy as copy } from './copy.ts'

/** Pages about the customer's money that go beyond the specification, in the order in which every menu lists them. */
const pages = [
  { to: '/transferencias', label: copy.transfers },
  { to: '/resumen', label: copy.overview },
  { to: '/presupuesto', label: copy.budget },
  { to: '/recurrentes', label: copy.recurring },
  { to: '/extractos', label: copy.statements },
  { to: '/categorias', label: copy.categories },
] as const

/** Returns the pages about money that this bank has. */
export const moneyPages = () =>
  pages.filter(({ to }) => to !== '/transferencias' || hasFeature('transferencias'))

/** Returns whether a path is a page about money, which the bars show as a part of the dashboard. */
export const isMoneyPage = (pathname: string) => pages.some(({ to }) => to === pathname)

/**
 * Links to the pages that `moneyPages` returns. The links are shown below the heading of the dashboard and of each
 * linked page. On a phone, the row of links scrolls.
 */
export function MoneyPages() {
  const { pathname } = useAddress()
  const list = useCurrentInView<HTMLUListElement>('[aria-current]', pathname)
  return (
    <div className="min-w-0 basis-full">
      <nav aria-label={copy.pages} className="-mx-3 overflow-x-auto px-3 print:hidden">
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
    </div>
  )
}
