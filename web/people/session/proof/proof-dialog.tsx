import { useState, type ReactNode } from 'react'
import { callAuth } from '#api/client.ts'
import { refusalMessage, showRefusal, type Refusals } from '#api/refusals.ts'
import { Button } from '#ui/button.tsx'
import { CodeField, readSixDigits } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readPassword } from '#ui/form/form.ts'
import { PasswordField } from '#ui/form/password-field.tsx'
import { useTask } from '#ui/use-task.ts'
import { proofCopy as copy } from './copy.ts'

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
  const { isByCode, button } = useMailedCode(proofRefusals)
  return (
    <FormDialog<string, 'password' | 'code'>
      title={copy.title}
      description={isByCode ? copy.byCode : copy.byPassword(purpose)}
      submitLabel={copy.submit}
      footer={button}
      onClose={() => {
        onClose()
        onDeclined?.()
      }}
      read={(fields) =>
        isByCode ? readSixDigits(fields, copy.missingCode) : readPassword(fields, copy.missingPassword)
      }
      send={(secret) => prove(isByCode ? { nonce: secret } : { current_password: secret })}
      success={() => null}
      failure={(error) => {
        const refusal = refusalMessage(error, { name: 'proof', title: copy.failed, refusals: proofRefusals })
        return { ...refusal, errors: { [isByCode ? 'code' : 'password']: refusal.description } }
      }}
      onDone={() => {
        onClose()
        onProven()
      }}
    >
      {({ code, password }) => (
        <ProofField
          isByCode={isByCode}
          label={copy.password}
          name="password"
          error={isByCode ? code : password}
        />
      )}
    </FormDialog>
  )
}

/** Returns a button that mails a code to a user who does not remember the password, and whether the code was mailed. */
export function useMailedCode(refusals: Refusals): {
  isByCode: boolean
  button: ReactNode
} {
  const [isByCode, setIsByCode] = useState(false)
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, { name: 'code by mail', title: copy.mailFailed, refusals }),
  )
  const askForCode = async () => {
    await mailCode()
    setIsByCode(true)
  }
  const button = !isByCode && (
    <Button variant="quiet" size="small" isBusy={isBusy} onClick={() => run(askForCode)}>
      {copy.mail}
    </Button>
  )
  return { isByCode, button }
}

type FieldProps = { isByCode: boolean; label: string; name: string; error: string | undefined }

/** Field for the current password, or for the mailed code. */
export function ProofField({ isByCode, label, name, error }: FieldProps) {
  return isByCode ? (
    <CodeField key="code" label={copy.code} error={error} required />
  ) : (
    <PasswordField
      key="password"
      label={label}
      name={name}
      autoComplete="current-password"
      error={error}
      required
    />
  )
}

const proofRefusals: Refusals = {
  current_password_invalid: copy.wrongPassword,
  reauthentication_not_valid: copy.wrongCode,
  over_email_send_rate_limit: copy.tooMany,
  over_request_rate_limit: copy.tooMany,
  otherwise: copy.tryAgain,
}

async function prove(proof: { current_password: string } | { nonce: string }): Promise<void> {
  await callAuth((auth) => auth.updateUser(proof))
}

async function mailCode(): Promise<void> {
  await callAuth((auth) => auth.reauthenticate())
}
