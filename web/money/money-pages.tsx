import { useLayoutEffect, useRef } from 'react'
import { useAddress } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { moneyCopy } from './copy.ts'

/** The pages about the customer's money that the specification does not name, in the order of every menu. */
export const moneyPages = [
  { to: '/resumen', label: moneyCopy.overview },
  { to: '/presupuesto', label: moneyCopy.budget },
  { to: '/recurrentes', label: moneyCopy.recurring },
  { to: '/extractos', label: moneyCopy.statements },
  { to: '/categorias', label: moneyCopy.categories },
] as const

/** Links to these pages, below the heading of each and of the dashboard. On a phone the single row scrolls. */
export function MoneyPages() {
  const { pathname } = useAddress()
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const current = list.current?.querySelector('[aria-current]')
    // The call returns a promise in new browsers, which React would take for the effect's clean-up.
    current?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  return (
    <nav aria-label={moneyCopy.pages} className="-mx-3 overflow-x-auto px-3 print:hidden">
      <ul ref={list} className="flex w-max gap-2">
        {moneyPages.map(({ to, label }) => (
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
