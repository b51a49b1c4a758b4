import { useQueryClient } from '@tanstack/react-query'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { AmountField } from '#amounts/amount-field.tsx'
import { displayedMinor, readAmount } from '#amounts/amounts.ts'
import { refusalMessage } from '#api/refusals.ts'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { transfersCopy } from './copy.ts'
import { provenCall } from './refusals.ts'
import { setTransferLimits, type OwnLimits } from './transfer-calls.ts'
import { limitNamed, type TransferAccount } from './transfers.ts'

const copy = transfersCopy.limits

/** The limits that a customer can lower for themselves. */
const ownLimitNames = ['transfer', 'day'] as const

type Field = (typeof ownLimitNames)[number]
type Props = { userId: string; account: TransferAccount; onClose: () => void }

/**
 * Dialog that sets the customer's own limits. To raise a limit, the customer must recently have entered the password or
 * a mailed code.
 */
export function LimitsDialog({ userId, account, onClose }: Props) {
  const client = useQueryClient()
  const { proven, dialog: proof } = useProof(copy.proofPurpose)
  return (
    <>
      <FormDialog<OwnLimits, Field>
        title={copy.editTitle}
        description={copy.editText}
        submitLabel={copy.save}
        className="grid-cols-1"
        onClose={onClose}
        read={(fields) => readLimits(fields, account)}
        send={(limits) => proven(() => setTransferLimits(client, userId, limits))}
        success={{ title: copy.savedTitle }}
        failure={(error) => refusalMessage(error, provenCall(copy))}
      >
        {(errors) =>
          ownLimitNames.map((name) => {
            const { ownMinor, bankMinor } = limitNamed(account, name)
            return (
              // If another window changes a limit, this field shows the new limit, so that saving does not restore the
              // old limit.
              <AmountField
                key={`${name} ${ownMinor}`}
                label={copy.kinds[name].max}
                name={name}
                defaultMinor={ownMinor}
                emptyHint={copy.bankAllows(displayedMinor(bankMinor))}
                error={errors[name]}
                check={(minor) => (minor > bankMinor ? copy.overBank : undefined)}
              />
            )
          })
        }
      </FormDialog>
      {proof}
    </>
  )
}

function readLimits(fields: FormData, account: TransferAccount): Reading<OwnLimits, Field> {
  const read = (name: Field) => limitOf(textOf(fields, name), limitNamed(account, name).bankMinor)
  const [transfer, day] = [read('transfer'), read('day')]
  return readingOf(
    {
      ...(transfer.error !== undefined && { transfer: transfer.error }),
      ...(day.error !== undefined && { day: day.error }),
    },
    { transfer: transfer.minor, day: day.minor },
  )
}

/** An empty field removes the customer's own limit. A limit of zero stops all transfers. */
function limitOf(typed: string, bankMax: MinorUnits): { minor: MinorUnits | null; error?: string } {
  if (typed === '') return { minor: null }
  if (/^0+([.,]0*)?$/.test(typed)) return { minor: 0 as MinorUnits }
  const amount = readAmount(typed)
  if (!amount.ok) return { minor: null, error: amount.error }
  return amount.amountMinor > bankMax ? { minor: null, error: copy.overBank } : { minor: amount.amountMinor }
}
