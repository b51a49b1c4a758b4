import { formatAccountNumber } from '@finanzas/contract/format/account-number.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { Fact } from './access-card.tsx'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'
import { HolderCorrections } from './holder-corrections.tsx'

const copy = customersCopy.holder
const correctDialog = lazyCode(() => import('./correct-holder-dialog.tsx'), 'CorrectHolderDialog')

/** The account's number, and the name, document and telephone of its holder. */
export function HolderCard({ customer }: { customer: Customer }) {
  const { id, account_number, full_name, document_kind, document_number, phone } = customer
  const correct = useLazyDialog(correctDialog)
  const isSelf = useUser().id === id
  return (
    <Card
      title={copy.title}
      action={
        !isSelf && (
          <Button variant="quiet" size="small" className="-mr-3" onClick={() => correct.open({ customer })}>
            {copy.correct}
          </Button>
        )
      }
    >
      <dl className="customer-facts p-4 text-sm sm:px-6">
        <Fact name={copy.account}>
          <span translate="no" className="figures">
            {formatAccountNumber(account_number)}
          </span>
        </Fact>
        <Fact name={copy.name}>{full_name ?? copy.missing}</Fact>
        <Fact name={copy.document}>
          {document_number === null ? copy.missing : `${document_kind} ${document_number}`}
        </Fact>
        <Fact name={copy.phone}>{phone ?? copy.missing}</Fact>
      </dl>
      <HolderCorrections id={id} />
      {correct.dialog}
    </Card>
  )
}
