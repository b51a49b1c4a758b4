import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callAuth } from '#backend/client.ts'
import { configuration } from '#backend/configuration.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { logQuietly } from '#backend/errors.ts'
import { mailCode } from '#session/proof/calls.ts'
import { refusalAtForm } from '#session/refusal.ts'
import { Button } from '#ui/button.tsx'
import { CodeField, readSixDigits } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { rawTextOf, readingOf, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { PasswordField } from '#ui/form/password-field.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { passwordCopy as copy } from './copy.ts'
import { ownSessionsQuery } from './sessions.ts'

type Method = 'current' | 'code'
type Field = Method | 'password' | 'repeated'
/** Request body that supabase-js sends to `PUT /user`. */
type Change = { password: string } & ({ current_password: string } | { nonce: string })

/**
 * Changes the password. The customer must prove their identity with the current password or a mailed code, because
 * another person may be using an unattended browser.
 */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [method, setMethod] = useState<Method>('current')
  const { isBusy, run } = useTask((error) => {
    logQuietly(error, 'code by mail')
    showFailure({ title: copy.mailFailed, description: refusalAtForm(error).form ?? copy.tryAgain })
  })
  const askForCode = async () => {
    await mailCode()
    setMethod('code')
  }
  return (
    <FormDialog<Change, Field>
      title={copy.title}
      description={method === 'current' ? copy.text : copy.byCode}
      submitLabel={copy.submit}
      footer={
        method === 'current' && (
          <Button variant="quiet" size="small" isBusy={isBusy} onClick={() => run(askForCode)}>
            {copy.mail}
          </Button>
        )
      }
      onClose={onClose}
      read={(fields) => readChange(fields, method)}
      send={async (change) => {
        await callAuth((auth) => auth.updateUser(change))
      }}
      success={{ title: copy.doneTitle, description: copy.doneText }}
      failure={(error, { password }) => {
        logQuietly(error, 'password change')
        const errors = errorsOf(error, password)
        const [description = copy.tryAgain] = Object.values(errors)
        return { title: copy.failed, description, errors }
      }}
      onDone={async () => {
        onClose()
        await client.invalidateQueries(ownSessionsQuery)
      }}
    >
      {(errors) => (
        <>
          {method === 'current' ? (
            <PasswordField
              key="current"
              label={copy.current}
              name="current"
              autoComplete="current-password"
              error={errors.current}
              required
            />
          ) : (
            <CodeField key="code" label={copy.code} error={errors.code} required />
          )}
          <PasswordField
            label={copy.next}
            name="password"
            autoComplete="new-password"
            hint={copy.hint(configuration().passwordLengthMin)}
            error={errors.password}
            required
          />
          <PasswordField
            label={copy.repeated}
            name="repeated"
            autoComplete="new-password"
            error={errors.repeated}
            required
          />
        </>
      )}
    </FormDialog>
  )
}

function readChange(fields: FormData, method: Method): Reading<Change, Field> {
  const password = rawTextOf(fields, 'password')
  const current = rawTextOf(fields, 'current')
  const code = method === 'code' ? readSixDigits(fields, copy.missingCode) : null
  const errors = {
    ...(method === 'current' && current === '' && { current: copy.missingCurrent }),
    ...(code !== null && !code.ok && code.errors),
    ...(password === '' && { password: copy.missingNext }),
    ...(rawTextOf(fields, 'repeated') !== password && { repeated: copy.different }),
  }
  const proof = code?.ok === true ? { nonce: code.value } : { current_password: current }
  return readingOf(errors, { password, ...proof })
}

function errorsOf(error: unknown, typed: string): FieldErrors<Field> {
  switch (errorCode(error)) {
    case 'current_password_invalid':
      return { current: copy.wrongCurrent }
    // A hosted Supabase project does not accept a mailed code instead of the current password.
    case 'current_password_required':
      return { form: copy.missingCurrent }
    case 'reauthentication_not_valid':
      return { code: copy.wrongCode }
    default: {
      const { password, email, form } = refusalAtForm(error, typed)
      return {
        ...(password !== undefined && { password }),
        ...((form ?? email) !== undefined && { form: form ?? email ?? '' }),
      }
    }
  }
}
