import { useQueryClient } from '@tanstack/react-query'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { readReason, ReasonField } from '#staff/forms/reason-field.tsx'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { requestQueueCopy } from './copy.ts'
import { returnTransfer } from './decisions.ts'
import { failureInWords } from './outcome.ts'
import { nameOf } from './people.tsx'
import type { Transfer } from './requests.ts'

const { giveBack: copy } = requestQueueCopy

/** Dialog that returns the money of a transfer to the customer who paid. */
export function ReturnDialog({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const { id, payer, payee, destination, amountMinor, clearing_file: file } = transfer
  const explained = destination === null ? copy.explained : file === null ? copy.unsent : copy.sent(file)
  const client = useQueryClient()
  return (
    <StaffDialog<string, 'reason', { isWaiting: boolean }>
      purpose={copy.purpose}
      title={copy.title}
      failedTitle={copy.failedTitle}
      submitLabel={copy.act}
      submitVariant="destructive"
      onClose={onClose}
      read={readReason}
      send={(reason) => returnTransfer(client, id, reason)}
      success={(_, { isWaiting }) => ({
        title: isWaiting ? copy.waitingTitle : copy.doneTitle,
        description: isWaiting ? copy.waitingText : copy.doneText,
      })}
      failure={(error) => failureInWords(error, copy.failedTitle)}
    >
      {(errors) => (
        <>
          <p className="text-sm text-muted">
            <MoneyText within={explained(nameOf(payer), nameOf(payee))}>
              {displayedMinor(amountMinor)}
            </MoneyText>
          </p>
          <ReasonField error={errors.reason} />
        </>
      )}
    </StaffDialog>
  )
}
