import { useQueryClient } from '@tanstack/react-query'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { readReason, ReasonField } from '#staff/forms/reason-field.tsx'
import { failureInWords } from '#staff/orders/outcome.ts'
import { returnFile } from './clearing.ts'
import { clearingCopy } from './copy.ts'

const { giveBack: copy } = clearingCopy

/** Dialog that returns the money of every transfer in a clearing file to the customers who paid. */
export function ReturnFileDialog({ number, onClose }: { number: number; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <StaffDialog<string, 'reason', Awaited<ReturnType<typeof returnFile>>>
      purpose={copy.purpose}
      title={copy.title(number)}
      failedTitle={copy.failedTitle}
      submitLabel={copy.act}
      submitVariant="destructive"
      onClose={onClose}
      read={readReason}
      send={(reason) => returnFile(client, number, reason)}
      success={(_, { transfers, left_out: left, is_waiting: isWaiting }) =>
        isWaiting
          ? { title: copy.waitingTitle, description: copy.waitingText }
          : { title: copy.doneTitle(transfers), description: left === 0 ? copy.doneText : copy.left(left) }
      }
      failure={(error) => failureInWords(error, copy.failedTitle)}
    >
      {(errors) => (
        <>
          <p className="text-sm text-muted">{copy.explained}</p>
          <ReasonField error={errors.reason} />
        </>
      )}
    </StaffDialog>
  )
}
