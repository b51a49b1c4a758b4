import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasRequestQueue } from '#api/configuration.ts'
import { bankQuery } from '#staff/bank/bank.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Link } from '#ui/address/link.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { SearchButton } from '#staff/search/search-button.tsx'
import { adminCopy, adminSections } from './copy.ts'
import { SectionLinks } from './section-links.tsx'
import './admin.css'

export type AdminSection = (typeof adminSections)[number]['section'] | 'debt'

const sections = () => adminSections.filter(({ section }) => section !== 'requests' || hasRequestQueue())

type Props = {
  documentTitle: string
  section: AdminSection
  /** Buttons for the section's actions. */
  children?: ReactNode
}

/**
 * Heading of every administration page, in one line: links to the sections, the sum that the bank owes, and action
 * buttons.
 */
export function AdminHeading({ documentTitle, section, children }: Props) {
  return (
    <div className="admin-head">
      <PageHeading
        documentTitle={documentTitle}
        heading={adminCopy.heading}
        note={
          <SectionLinks
            label={adminCopy.sections}
            sections={sections()}
            shown={section}
            className="admin-sections"
          />
        }
      >
        {/* The plate of *Hoy* says the same sum. */}
        {section !== 'today' && (
          <Debt isShown={section === 'debt'} isAlways={['debt', 'status'].includes(section)} />
        )}
        <span className="admin-search">
          <SearchButton />
        </span>
        {children}
      </PageHeading>
    </div>
  )
}

/**
 * Link to the history of the bank's liabilities, showing the sum that the bank owes now. On a phone, the link stands
 * only where `isAlways` is true, so that the first row of a list is on the first screen.
 */
function Debt({ isShown, isAlways }: { isShown: boolean; isAlways: boolean }) {
  const { data: bank } = useQuery(bankQuery)
  if (bank === undefined) return null
  return (
    <Link
      to="/admin?vista=deuda"
      aria-current={isShown ? 'page' : undefined}
      data-always={isAlways || undefined}
      className="admin-debt @container text-xs text-muted hover:text-ink"
    >
      {adminCopy.debt.title}{' '}
      <MoneyText className="text-sm font-semibold text-ink">{displayedMinor(bank.owedMinor)}</MoneyText>
      {` · ${adminCopy.debt.customers(bank.customers)}`}
    </Link>
  )
}
