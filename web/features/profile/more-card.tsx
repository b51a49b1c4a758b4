import { ChevronRight, FileText, LifeBuoy, WalletCards } from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '#ui/card.tsx'
import { profileCopy } from './copy.ts'

const links = [
  { to: '/cuentas', label: profileCopy.accounts, icon: WalletCards },
  { to: '/documentos', label: profileCopy.documents, icon: FileText },
  { to: '/soporte', label: profileCopy.support, icon: LifeBuoy },
] as const

/** The sections that a phone's bottom bar has no room for. */
export function MoreCard() {
  return (
    <div className="lg:hidden">
      <Card title={profileCopy.moreTitle}>
        <ul className="divide-y divide-line">
          {links.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex min-h-14 items-center gap-4 px-4 font-medium hover:bg-sunken sm:px-6"
              >
                <Icon aria-hidden="true" className="size-5 text-primary" strokeWidth={1.75} />
                <span className="flex-1">{label}</span>
                <ChevronRight aria-hidden="true" className="size-4.5 text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
