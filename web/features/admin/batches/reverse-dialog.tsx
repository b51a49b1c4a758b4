import { useQueryClient } from '@tanstack/react-query'
import { readReason, ReasonField } from '#features/admin/reason-field.tsx'
import { sentenceOf } from '#features/admin/sentence.ts'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { useProof } from '#session/proof/use-proof.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { batchesQuery, batchQuery, reverseBatch, type Batch } from './batches.ts'
import { batchCopy } from './copy.ts'

const { reversal: copy } = batchCopy

type Props = { batch: Batch; onClose: () => void }

/** Dialog that orders the reversal of a whole batch. */
export function ReverseDialog({ batch, onClose }: Props) {
  const { id, title, posted, posted_amount, finished_at } = batch
  const client = useQueryClient()
  const { proven, dialog: proof } = useProof(copy.purpose)
  const reverse = async (reason: string) => {
    client.setQueryData(batchQuery(id).queryKey, await proven(() => reverseBatch(id, reason)))
    void client.invalidateQueries({ queryKey: batchesQuery.queryKey })
  }
  return (
    <>
      <FormDialog<string, 'reason'>
        title={copy.title}
        description={title}
        submitLabel={copy.title}
        submitVariant="destructive"
        onClose={onClose}
        read={readReason}
        send={reverse}
        success={{ title: copy.orderedTitle, description: copy.orderedText }}
        failure={(error) => ({ title: copy.failedTitle, description: sentenceOf(error) })}
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
      </FormDialog>
      {proof}
    </>
  )
}
