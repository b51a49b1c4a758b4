import { Link } from 'react-router'
import { adminCopy } from './copy.ts'

export type AdminSection = 'users' | 'audit'

/** The address tells the section, so that going back and reloading keep it. */
const sections: readonly { section: AdminSection; to: string; label: string }[] = [
  { section: 'users', to: '/admin', label: adminCopy.usersTitle },
  { section: 'audit', to: '/admin?vista=registro', label: adminCopy.auditTitle },
]

export function sectionOf(address: URLSearchParams): AdminSection {
  return address.get('vista') === 'registro' ? 'audit' : 'users'
}

/** The panel's two sections, as links in the manner of the bar at the top. */
export function AdminSections({ shown }: { shown: AdminSection }) {
  return (
    <nav aria-label={adminCopy.sections} className="-mt-2 mb-4 flex gap-1 sm:mb-6">
      {sections.map(({ section, to, label }) => (
        <Link
          key={section}
          to={to}
          aria-current={section === shown ? 'page' : undefined}
          className="flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-medium text-muted transition-colors hover:text-ink aria-[current=page]:border-b-brass aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
