import { configuration } from '#api/configuration.ts'
import { refusalOf, type RefusedField } from '#people/session/refusal.ts'
import { useSession } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form/field.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'
import { rawTextOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { saveNewPassword } from './auth-calls.ts'
import { AuthFrame } from './auth-frame.tsx'
import { authCopy } from './copy.ts'

/** These strings are not in copy.ts, so that the login does not load them. */
const copy = {
  documentTitle: 'Nueva Contraseña - Finanzas',
  headline: 'Crea una contraseña nueva',
  intro: 'Al guardarla entrarás a tu cuenta.',
  password: 'Contraseña nueva',
  repeated: 'Repite la contraseña',
  submit: 'Guardar contraseña',
  missing: 'Escribe la contraseña nueva.',
  different: 'Las dos contraseñas no son iguales.',
  failed: 'No se pudo cambiar la contraseña',
  doneTitle: 'Contraseña cambiada',
  doneText: 'Ya puedes usarla para iniciar sesión.',
} as const

export function NewPasswordPage() {
  const { finishRecovery } = useSession()
  const { errors, isSending, onSubmit } = useSubmission<string, RefusedField | 'repeated'>({
    read: readNewPassword,
    send: saveNewPassword,
    success: { title: copy.doneTitle, description: copy.doneText },
    failure: (error, password) => ({ title: copy.failed, ...refusalOf(error, password) }),
    onDone: finishRecovery,
  })

  return (
    <AuthFrame documentTitle={copy.documentTitle} headline={copy.headline} intro={copy.intro}>
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          <PasswordField
            label={copy.password}
            name="password"
            autoComplete="new-password"
            error={errors.password}
            hint={authCopy.passwordHint(configuration().passwordLengthMin)}
          />
          <PasswordField
            label={copy.repeated}
            name="repeated"
            autoComplete="new-password"
            error={errors.repeated}
          />
          <FormError>{errors.form}</FormError>
          <Button type="submit" isBusy={isSending}>
            {copy.submit}
          </Button>
        </fieldset>
      </form>
    </AuthFrame>
  )
}

function readNewPassword(fields: FormData): Reading<string, RefusedField | 'repeated'> {
  const password = rawTextOf(fields, 'password')
  if (password === '') return { ok: false, errors: { password: copy.missing } }
  if (rawTextOf(fields, 'repeated') !== password) return { ok: false, errors: { repeated: copy.different } }
  return { ok: true, value: password }
}
