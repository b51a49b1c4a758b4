import { useState } from 'react'
import { sendRecoveryMail } from '#people/session/recovery-mail.ts'
import { refusalOf } from '#people/session/refusal.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form/field.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { resendConfirmation } from './auth-calls.ts'
import { authCopy } from './copy.ts'

const copy = authCopy.sent

/**
 * A mail that the user must open. `unconfirmed` means that a sign-in failed because the e-mail address is not
 * confirmed.
 */
export type SentMail = { kind: 'signUp' | 'recovery' | 'unconfirmed'; email: string }

/**
 * Notice that stays on the page after the toast has closed. The notice shows the address to which the mail was sent,
 * and offers to send the mail again.
 */
export function MailSent({ mail: { kind, email } }: { mail: SentMail }) {
  const [refused, setRefused] = useState<string>()
  const { isBusy, run } = useTask((error) => {
    const { description } = refusalOf(error)
    setRefused(description)
    showFailure({ title: copy.failed, description })
  })
  const sendAgain = async () => {
    await (kind === 'recovery' ? sendRecoveryMail(email) : resendConfirmation(email))
    setRefused(undefined)
    showToast({ title: copy.sentAgain, description: email })
  }
  return (
    <div
      role="status"
      className="mb-6 grid justify-items-start gap-2 border-l-2 border-brass bg-warning-soft px-4 py-3 text-sm text-warning wrap-anywhere"
    >
      <p>{copy[kind](email)}</p>
      <FormError>{refused}</FormError>
      <Button variant="outline" isBusy={isBusy} onClick={() => run(sendAgain)}>
        {copy.again}
      </Button>
    </div>
  )
}
