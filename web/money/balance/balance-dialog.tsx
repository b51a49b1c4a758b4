import { balanceCopy } from './copy.ts'
import { EditsList } from './edits-list.tsx'
import { ExplainedBalance } from './explained-balance.tsx'
import { RecordedList } from './recorded-list.tsx'
import { explanationQuery } from './explanation.ts'
import { readJournal } from '#data/read-journal.ts'
import { useUser } from '#people/session/session.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

/** The explanation of the customer's balance. */
export function BalanceDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  return (
    <Dialog title={balanceCopy.title} description={balanceCopy.explained} onClose={onClose}>
      <ExplainedBalance query={explanationQuery(user.id)} readPages={readJournal}>
        <div>
          <EditsList userId={user.id} />
          <RecordedList userId={user.id} />
        </div>
      </ExplainedBalance>
    </Dialog>
  )
}
