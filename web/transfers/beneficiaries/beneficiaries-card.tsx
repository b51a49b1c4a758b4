import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { configuration } from '#api/configuration.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useQuestion } from '#ui/dialog/use-question.ts'
import { linkClass } from '#ui/page-heading.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { transfersCopy } from '#transfers/copy.ts'
import { removeBeneficiary } from '#transfers/transfer-calls.ts'
import type { Beneficiary } from '#transfers/transfers.ts'
import { unconfirmedToast, useConfirmation } from './use-confirmation.tsx'

const copy = transfersCopy.beneficiaries
const beneficiaryDialog = lazyCode(() => import('./beneficiary-dialog.tsx'), 'BeneficiaryDialog')

type Props = {
  user: { id: string; email?: string | undefined }
  beneficiaries: readonly Beneficiary[]
}

/** The people in the customer’s list of recipients. Each of them must be confirmed once. */
export function BeneficiariesCard({ user, beneficiaries }: Props) {
  const { open, dialog } = useLazyDialog(beneficiaryDialog)
  return (
    <Card
      title={copy.title}
      action={
        <Button
          variant="outline"
          size="touch"
          aria-label={copy.addLabel}
          onClick={() => open({ userId: user.id, ownAddress: user.email })}
        >
          {copy.add}
        </Button>
      }
    >
      {beneficiaries.length === 0 ? (
        <p className="px-4 py-4 text-sm text-muted sm:px-6">{copy.none}</p>
      ) : (
        <ul aria-label={copy.title} className="divide-y divide-line">
          {beneficiaries.map((each) => (
            <Row key={each.id} userId={user.id} beneficiary={each} />
          ))}
        </ul>
      )}
      {dialog}
    </Card>
  )
}

function Row({ userId, beneficiary }: { userId: string; beneficiary: Beneficiary }) {
  const client = useQueryClient()
  const { confirmed, retried, dialog: proof } = useConfirmation(userId)
  const { isBusy, run } = useTask((error) => showFailure(unconfirmedToast(error)))
  const { id, name, confirmed_at } = beneficiary
  const address = placeOf(beneficiary)
  const isStranger = confirmed_at !== null && beneficiary.payee_name === null
  const confirm = () =>
    run(async () => {
      const { payee_name } = await (isStranger ? retried(beneficiary) : confirmed(beneficiary, [beneficiary]))
      showToast({ title: copy.confirmedTitle, description: copy.confirmedText(name, payee_name) })
    })
  const { ask, question } = useQuestion()
  const remove = async () => {
    if (!(await ask({ text: copy.removeQuestion(name), confirm: copy.removeConfirmed }))) return
    run(async () => {
      await removeBeneficiary(client, userId, id)
      showToast({ title: copy.removedTitle, description: name })
    })
  }
  return (
    <li data-row={id} className="transfers-row">
      <div className="transfers-words">
        <Person beneficiary={beneficiary} />
        {isStranger && <Invitation beneficiary={beneficiary} />}
      </div>
      <div className="flex flex-wrap items-center">
        {(confirmed_at === null || isStranger) && (
          <Button
            variant="outline"
            size="touch"
            isBusy={isBusy}
            aria-label={isStranger ? copy.retryOf(name, address) : copy.confirmOf(name, address)}
            onClick={confirm}
          >
            {isStranger ? copy.retry : copy.confirm}
          </Button>
        )}
        <Button
          variant="muted-danger"
          size="icon"
          disabled={isBusy}
          aria-label={copy.remove(name, address)}
          onClick={() => void remove()}
        >
          <Trash2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        </Button>
      </div>
      {proof}
      {question}
    </li>
  )
}

/** The person's name, address and state. */
function Person({ beneficiary }: { beneficiary: Beneficiary }) {
  return (
    <>
      {/* When the confirm button disappears, the name takes the focus. The next button must not take the focus,
          because it removes the person. */}
      <p data-kept="" tabIndex={-1} translate="no" className="font-medium wrap-anywhere">
        {beneficiary.name}
      </p>
      <p translate="no" className="text-sm text-muted wrap-anywhere">
        {placeOf(beneficiary)}
      </p>
      <p className="text-sm text-muted">{stateOf(beneficiary)}</p>
    </>
  )
}

/** A link that writes a mail to the person. An alias has no mailbox. */
function Invitation({ beneficiary: { name, address } }: { beneficiary: Beneficiary }) {
  if (address === null || address.startsWith('@')) return null
  const { brandName } = configuration()
  const subject = encodeURIComponent(copy.inviteSubject(brandName))
  const body = encodeURIComponent(copy.inviteBody(brandName, window.location.origin))
  return (
    <a
      href={`mailto:${encodeURIComponent(address)}?subject=${subject}&body=${body}`}
      aria-label={copy.inviteOf(name)}
      className={linkClass}
    >
      {copy.invite}
    </a>
  )
}

/** Returns the email address, or the other bank and the last digits of the account there. */
function placeOf({ address, payee_name }: Beneficiary): string {
  return address ?? payee_name ?? ''
}

/** Returns the masked name that the bank knows, or why the customer cannot transfer money to this person yet. */
function stateOf({ confirmed_at, payee_name, destination }: Beneficiary): string {
  if (confirmed_at === null) return copy.unconfirmed
  if (destination !== null) return copy.elsewhere.confirmed
  return payee_name === null ? copy.stranger : copy.customer(payee_name)
}
