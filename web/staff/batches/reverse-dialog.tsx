import { useQueryClient } from '@tanstack/react-query'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { readReason, ReasonField } from '#staff/forms/reason-field.tsx'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { batchesQuery, batchQuery, reverseBatch, type Batch } from './batches.ts'
import { batchCopy } from './copy.ts'

const { reversal: copy } = batchCopy

type Props = { batch: Batch; onClose: () => void }

/** Dialog that orders the reversal of a whole batch. */
export function ReverseDialog({ batch, onClose }: Props) {
  const { id, title, posted, posted_amount, finished_at } = batch
  const client = useQueryClient()
  const reverse = async (reason: string) => {
    client.setQueryData(batchQuery(id).queryKey, await reverseBatch(id, reason))
    void client.invalidateQueries({ queryKey: batchesQuery.queryKey })
  }
  return (
    <StaffDialog<string, 'reason'>
      purpose={copy.purpose}
      title={copy.title}
      failedTitle={copy.failedTitle}
      description={title}
      submitLabel={copy.title}
      submitVariant="destructive"
      onClose={onClose}
      read={readReason}
      send={reverse}
      success={{ title: copy.orderedTitle, description: copy.orderedText }}
    >
      {(errors) => (
        <>
          <p className="text-sm text-muted">
            <MoneyText within={copy.explained(posted)}>{displayedMoney(posted_amount)}</MoneyText>
            {finished_at === null && ` ${copy.unposted}`}
          </p>
          <ReasonField error={errors.reason} />
        </>
      )}
    </StaffDialog>
  )
}
