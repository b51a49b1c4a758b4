import { MoneyPages } from '#money/money-pages.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { transferCopy as copy } from './copy.ts'

/** The customer's transfers. */
export function TransfersPage() {
  return <PageHeading documentTitle={copy.documentTitle} heading={copy.heading} below={<MoneyPages />} />
}
