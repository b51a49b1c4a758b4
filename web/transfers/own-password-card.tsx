import { sendRecoveryMail } from '#people/session/recovery-mail.ts'
import { refusalOf } from '#people/session/refusal.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { transfersCopy } from './copy.ts'

const { ownPassword: copy } = transfersCopy

/** Explains why the customer cannot transfer yet, and mails the link with which the customer sets a password. */
export function OwnPasswordCard({ address }: { address: string }) {
  const { isBusy, run } = useTask((error) =>
    showFailure({ title: copy.failedTitle, description: refusalOf(error).description }),
  )
  const send = async () => {
    await sendRecoveryMail(address)
    showToast({ title: copy.sentTitle, description: copy.sentText(address) })
  }
  return (
    <Card title={copy.title} className="mb-4">
      <div className="flex flex-wrap items-center gap-4 px-4 py-4 sm:px-6">
        <p className="min-w-0 flex-1 basis-64 text-sm">{copy.text}</p>
        <Button isBusy={isBusy} onClick={() => run(send)}>
          {copy.act}
        </Button>
      </div>
    </Card>
  )
}
