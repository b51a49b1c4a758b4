import { useQuery, useQueryClient } from '@tanstack/react-query'
import { backend } from '#api/client.ts'
import { showRefusal } from '#api/refusals.ts'
import { unwrap } from '#api/unwrap.ts'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { Button } from '#ui/button.tsx'
import { useTask } from '#ui/use-task.ts'
import { batchQuery, type Batch } from './batches.ts'
import { batchCopy } from './copy.ts'

const copy = batchCopy.invitations
/** Interval at which the page reads the progress while the server invites customers. */
const progressMs = 15_000

/** The invitations of a batch that opened accounts: their progress, and the button that starts or stops them. */
export function Invitations({ batch: { id, invites_since } }: { batch: Batch }) {
  const client = useQueryClient()
  const isStarted = invites_since !== null
  const { data: counts } = useQuery({
    queryKey: ['batches', id, 'invitations'],
    refetchInterval: isStarted ? progressMs : false,
    queryFn: async ({ signal }) => {
      const api = await backend()
      return unwrap(await api.rpc('count_invitations', { id }).abortSignal(signal))
    },
  })
  const { proven, dialog } = useProof(copy.purpose)
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, {
      name: 'invitations',
      title: copy.failedTitle,
      refusals: { otherwise: copy.failedText },
    }),
  )
  const pace = (act: 'invite_customers' | 'stop_invitations') =>
    run(async () => {
      const api = await backend()
      const batch = await proven(async () => unwrap(await api.rpc(act, { id })))
      client.setQueryData(batchQuery(id).queryKey, batch)
      await client.invalidateQueries({ queryKey: ['batches', id, 'invitations'] })
    })
  if (counts === undefined) return null
  const { accounts, invited, taken, expired, refused, has_administrator } = counts
  const isOrphaned = isStarted && has_administrator === false
  const isInviting = isStarted && !isOrphaned
  const lost = expired + refused
  const isOver = invited === accounts && expired === 0
  return (
    <section aria-label={copy.title} className="grid gap-2 border-t border-line pt-4">
      <p className="font-semibold">{copy.title}</p>
      <p role="status" className="text-sm">
        {copy.progress(invited, accounts, taken)}
        {expired > 0 && <span className="block text-muted">{copy.expired(expired)}</span>}
        {refused > 0 && <span className="block">{copy.refused(refused)}</span>}
        {isOrphaned && !isOver && <span className="block">{copy.orphaned}</span>}
        {isInviting && !isOver && <span className="block text-muted">{copy.inviting}</span>}
      </p>
      <div className="flex flex-wrap gap-3">
        {isInviting && !isOver && lost === 0 ? (
          <Button variant="outline" isBusy={isBusy} onClick={() => pace('stop_invitations')}>
            {copy.stop}
          </Button>
        ) : (
          !isOver && (
            <Button isBusy={isBusy} onClick={() => pace('invite_customers')}>
              {lost > 0 ? copy.again : isOrphaned ? copy.goOn : copy.start}
            </Button>
          )
        )}
      </div>
      {dialog}
    </section>
  )
}
