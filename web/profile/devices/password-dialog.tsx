import { useQueryClient } from '@tanstack/react-query'
import { callAuth } from '#api/client.ts'
import { configuration } from '#api/configuration.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { logQuietly } from '#api/errors.ts'
import { ProofField, useMailedCode } from '#people/session/proof/proof-dialog.tsx'
import { refusalAtForm } from '#people/session/refusal.ts'
import { readSixDigits } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { rawTextOf, readingOf, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { PasswordField } from '#ui/form/password-field.tsx'
import { passwordCopy as copy } from './copy.ts'
import { ownSessionsQuery } from './sessions.ts'

type Field = 'current' | 'code' | 'password' | 'repeated'
/** Request body that supabase-js sends to `PUT /user`. */
type Change = { password: string } & ({ current_password: string } | { nonce: string })

/**
 * Changes the password. The customer must prove their identity with the current password or a mailed code, because
 * another person may be using an unattended browser.
 */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { isByCode, button } = useMailedCode({
    otherwise: (error) => refusalAtForm(error).form ?? copy.tryAgain,
  })
  return (
    <FormDialog<Change, Field>
      title={copy.title}
      description={isByCode ? copy.byCode : copy.text}
      submitLabel={copy.submit}
      footer={button}
      onClose={onClose}
      read={(fields) => readChange(fields, isByCode)}
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
          <ProofField
            isByCode={isByCode}
            label={copy.current}
            name="current"
            error={isByCode ? errors.code : errors.current}
          />
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

function readChange(fields: FormData, isByCode: boolean): Reading<Change, Field> {
  const password = rawTextOf(fields, 'password')
  const current = rawTextOf(fields, 'current')
  const code = isByCode ? readSixDigits(fields, copy.missingCode) : null
  const errors = {
    ...(!isByCode && current === '' && { current: copy.missingCurrent }),
    ...(code !== null && !code.ok && code.errors),
    ...(password === '' && { password: copy.missingNext }),
    ...(rawTextOf(fields, 'repeated') !== password && { repeated: copy.different }),
  }
  const proof = code?.ok === true ? { nonce: code.value } : { current_password: current }
  return readingOf(errors, { password, ...proof })
}

const ownErrors: Readonly<Record<string, FieldErrors<Field>>> = {
  current_password_invalid: { current: copy.wrongCurrent },
  // A hosted Supabase project does not accept a mailed code instead of the current password.
  current_password_required: { form: copy.missingCurrent },
  reauthentication_not_valid: { code: copy.wrongCode },
}

function errorsOf(error: unknown, typed: string): FieldErrors<Field> {
  const own = ownErrors[errorCode(error)]
  if (own !== undefined) return own
  const { password, email, form } = refusalAtForm(error, typed)
  return {
    ...(password !== undefined && { password }),
    ...((form ?? email) !== undefined && { form: form ?? email ?? '' }),
  }
}
