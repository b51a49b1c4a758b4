import { callAuth } from '#api/client.ts'
import { logQuietly } from '#api/errors.ts'
import { profileCopy } from '#profile/copy.ts'
import { isUnproven, useProof } from '#people/session/proof/use-proof.tsx'
import { refusalAtForm } from '#people/session/refusal.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'

const copy = profileCopy.address

/**
 * A pending change of the e-mail address. The account's owner can confirm the change early with the password or a
 * mailed code.
 */
export function AddressCard({ newEmail }: { newEmail: string }) {
  const { proven, dialog: proof } = useProof(copy.proofPurpose)
  const { isBusy, run } = useTask((error) => {
    if (isUnproven(error)) return
    logQuietly(error, 'change of address')
    showFailure({
      title: copy.failed,
      description: refusalAtForm(error).form ?? profileCopy.twoFactor.tryAgain,
    })
  })
  const accept = async () => {
    const { data } = await proven(() => callAuth((auth) => auth.updateUser({ email: newEmail })))
    const isDone = data.user.email === newEmail
    showToast(
      isDone
        ? { title: copy.acceptedTitle, description: copy.acceptedText(newEmail) }
        : { title: copy.missingTitle, description: copy.missingText(newEmail) },
    )
  }

  return (
    <Card title={copy.title}>
      <div className="p-4 sm:px-6">
        <p className="mb-4 text-sm text-muted wrap-anywhere">{copy.waits(newEmail)}</p>
        <Button variant="outline" isBusy={isBusy} onClick={() => run(accept)}>
          {copy.accept}
        </Button>
      </div>
      {proof}
    </Card>
  )
}
