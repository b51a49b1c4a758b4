import { useState } from 'react'
import { errorCode, logQuietly } from '#backend/errors.ts'
import { profileCopy } from '#features/profile/copy.ts'
import { Button } from '#ui/button.tsx'
import { CodeField, readSixDigits } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readPassword } from '#ui/form/form.ts'
import { PasswordField } from '#ui/form/password-field.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { mailCode, prove } from './calls.ts'

const copy = profileCopy.proof

type Method = 'password' | 'code'

/** Asks for the password, or a mailed code, before the second factor is changed: an open browser is not enough. */
export function ProofDialog({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
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
      description={method === 'password' ? copy.byPassword : copy.byCode}
      submitLabel={copy.submit}
      footer={
        method === 'password' && (
          <Button variant="quiet" size="small" isBusy={isBusy} onClick={() => run(askForCode)}>
            {copy.mail}
          </Button>
        )
      }
      onClose={onClose}
      read={(fields) =>
        method === 'password'
          ? readPassword(fields, profileCopy.missingPassword)
          : readSixDigits(fields, copy.missingCode)
      }
      send={(secret) => prove(method === 'password' ? { current_password: secret } : { nonce: secret })}
      success={() => null}
      failure={(error) => {
        logQuietly(error, 'proof')
        const description = sentenceFor(error)
        return { title: copy.failed, description, errors: { [method]: description } }
      }}
      onDone={onProven}
    >
      {(errors) =>
        method === 'password' ? (
          <PasswordField
            key="password"
            label={profileCopy.password}
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
  return sentences[errorCode(error)] ?? profileCopy.twoFactor.tryAgain
}
