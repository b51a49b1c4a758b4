import { formatAccountNumber } from '@finanzas/contract/account-number.ts'
import { Card } from '#ui/card.tsx'
import { Fact } from './access-card.tsx'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

const copy = customersCopy.holder

/** The account's number, and the name, document and telephone of its holder. */
export function HolderCard({ customer }: { customer: Customer }) {
  const { account_number, full_name, document_kind, document_number, phone } = customer
  return (
    <Card title={copy.title}>
      <dl className="customer-facts p-4 text-sm sm:px-6">
        <Fact name={copy.account}>
          <span className="tabular-nums">{formatAccountNumber(account_number)}</span>
        </Fact>
        <Fact name={copy.name}>{full_name ?? copy.missing}</Fact>
        <Fact name={copy.document}>
          {document_number === null ? copy.missing : `${document_kind} ${document_number}`}
        </Fact>
        <Fact name={copy.phone}>{phone ?? copy.missing}</Fact>
      </dl>
    </Card>
  )
}
