import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { showRefusal, type Refusals } from '#api/refusals.ts'
import { isCancelled, showPasskey } from '#people/session/passkey.ts'
import { lastWait, refusalOf } from '#people/session/refusal.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { focusAtOnce } from '#ui/focus/focus-at-once.ts'
import { codeCopy } from './code-copy.ts'
import { authCopy } from './copy.ts'

const copy = codeCopy.passkey

/**
 * Button that makes the browser prompt for a passkey. Most browsers show the prompt only after a click. The button
 * takes the focus, because the previously focused element no longer exists.
 */
export function PasskeyStep({ factorId }: { factorId: string }) {
  const [isWithout, setIsWithout] = useState(false)
  const { isBusy, run } = useTask((error) => {
    if (isCancelled(error)) setIsWithout(true)
    else showRefusal(error, { name: 'passkey', title: copy.failed, refusals })
  })
  const show = async () => {
    setIsWithout(false)
    await showPasskey(factorId)
    showToast({ title: authCopy.signIn.doneTitle, description: authCopy.signIn.doneText })
  }

  return (
    <div className="grid gap-3">
      <Button ref={focusAtOnce} isBusy={isBusy} onClick={() => run(show)}>
        {!isBusy && <KeyRound aria-hidden="true" className="size-4" />}
        {copy.use}
      </Button>
      <p role="status" className="text-sm text-muted">
        {isWithout && copy.cancelled}
      </p>
    </div>
  )
}

const refusals: Refusals = {
  mfa_verification_failed: copy.wrong,
  over_request_rate_limit: () => codeCopy.locked(lastWait()),
  otherwise: (error) => refusalOf(error).description,
}
