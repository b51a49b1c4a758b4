import { useQueryClient } from '@tanstack/react-query'
import { AmountField } from '#amounts/amount-field.tsx'
import { readAmount } from '#amounts/amounts.ts'
import { refusalMessage } from '#api/refusals.ts'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { transfersCopy } from './copy.ts'
import { provenCall } from './refusals.ts'
import { setTransferReception, type Reception } from './transfer-calls.ts'
import type { TransferAccount } from './transfers.ts'

const copy = transfersCopy.reception

type Props = { userId: string; account: TransferAccount; onClose: () => void }

/**
 * Dialog that sets which transfers the customer receives. The customer must recently have entered the password or a
 * mailed code.
 */
export function ReceptionDialog({ userId, account, onClose }: Props) {
  const client = useQueryClient()
  const { proven, dialog: proof } = useProof(copy.proofPurpose)
  return (
    <>
      <FormDialog<Reception, 'min'>
        title={copy.editTitle}
        description={copy.editText}
        submitLabel={copy.save}
        className="grid-cols-1"
        onClose={onClose}
        read={readReception}
        send={(reception) => proven(() => setTransferReception(client, userId, reception))}
        success={{ title: copy.savedTitle }}
        failure={(error) => refusalMessage(error, provenCall(copy))}
      >
        {(errors) => (
          <>
            <AmountField
              key={`min ${account.receiveMinMinor}`}
              label={copy.min}
              name="min"
              defaultMinor={account.receiveMinMinor}
              emptyHint={copy.anyAmount}
              error={errors.min}
            />
            <label className="flex min-h-11 items-center gap-3 text-sm">
              <input
                key={`known ${account.receivesFromKnown}`}
                type="checkbox"
                name="known"
                defaultChecked={account.receivesFromKnown}
                className="size-5 shrink-0"
              />
              {copy.onlyKnown}
            </label>
          </>
        )}
      </FormDialog>
      {proof}
    </>
  )
}

/** An empty amount means that the customer receives every amount. */
function readReception(fields: FormData): Reading<Reception, 'min'> {
  const typed = textOf(fields, 'min')
  const receivesFromKnown = fields.has('known')
  if (typed === '') return readingOf({}, { receiveMinMinor: null, receivesFromKnown })
  const amount = readAmount(typed)
  return amount.ok
    ? readingOf({}, { receiveMinMinor: amount.amountMinor, receivesFromKnown })
    : { ok: false, errors: { min: amount.error } }
}
