import { useState } from 'react'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { logQuietly } from '#backend/errors.ts'
import { Button } from '#ui/button.tsx'
import { CodeField, readSixDigits } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readPassword } from '#ui/form/form.ts'
import { PasswordField } from '#ui/form/password-field.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { mailCode, prove } from './calls.ts'
import { proofCopy as copy } from './copy.ts'

type Method = 'password' | 'code'

type Props = {
  /** The action for which the user must prove their identity. */
  purpose: string
  onProven: () => void
  /** Called when the user closes the dialog without proving their identity. */
  onDeclined?: () => void
  onClose: () => void
}

/**
 * Dialog that asks for the password or a mailed code before a sensitive action, because another person may be using the
 * signed-in browser.
 */
export function ProofDialog({ purpose, onProven, onDeclined, onClose }: Props) {
  const [method, setMethod] = useState<Method>('password')
  const { isBusy, run } = useTask((error) => {
    logQuietly(error, 'proof by mail')
    showFailure({ title: copy.mailFailed, description: sentenceFor(error) })
  })
  const askForCode = async () => {
    await mailCode()
    setMethod('code')
  }

  return (
    <FormDialog<string, Method>
      title={copy.title}
      description={method === 'password' ? copy.byPassword(purpose) : copy.byCode}
      submitLabel={copy.submit}
      footer={
        method === 'password' && (
          <Button variant="quiet" size="small" isBusy={isBusy} onClick={() => run(askForCode)}>
            {copy.mail}
          </Button>
        )
      }
      onClose={() => {
        onClose()
        onDeclined?.()
      }}
      read={(fields) =>
        method === 'password'
          ? readPassword(fields, copy.missingPassword)
          : readSixDigits(fields, copy.missingCode)
      }
      send={(secret) => prove(method === 'password' ? { current_password: secret } : { nonce: secret })}
      success={() => null}
      failure={(error) => {
        logQuietly(error, 'proof')
        const description = sentenceFor(error)
        return { title: copy.failed, description, errors: { [method]: description } }
      }}
      onDone={() => {
        onClose()
        onProven()
      }}
    >
      {(errors) =>
        method === 'password' ? (
          <PasswordField
            key="password"
            label={copy.password}
            name="password"
            autoComplete="current-password"
            error={errors.password}
            required
          />
        ) : (
          <CodeField key="code" label={copy.code} error={errors.code} required />
        )
      }
    </FormDialog>
  )
}

const sentences: Readonly<Record<string, string>> = {
  current_password_invalid: copy.wrongPassword,
  reauthentication_not_valid: copy.wrongCode,
  over_email_send_rate_limit: copy.tooMany,
  over_request_rate_limit: copy.tooMany,
}

function sentenceFor(error: unknown): string {
  return sentences[errorCode(error)] ?? copy.tryAgain
}
