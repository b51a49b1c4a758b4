import { errorCode } from '#backend/errors.ts'

/** The error's own message, for a toast; `fallback` where it has none that is readable. */
export function refusalMessage(error: unknown, fallback: string): string {
  const message = error instanceof Error ? error.message : ''
  // The client makes a body without a message into JSON.
  return message === '' || /^[{[]/.test(message) ? fallback : message
}

/** The field to which a refusal belongs; `form` for what is no field's fault. */
export type RefusedField = 'email' | 'password' | 'form'

type Refusal = Partial<Record<RefusedField, string>>

/** Shown at the form; the service's own words are in the toast (docs/specification.md §8). */
const byCode: Readonly<Record<string, Refusal>> = {
  invalid_credentials: { password: 'El email o la contraseña no son correctos.' },
  email_not_confirmed: {
    email:
      'Aún no has confirmado tu email. Abre el enlace del correo que te enviamos; si no lo tienes, regístrate otra vez con el mismo email y te enviaremos otro.',
  },
  weak_password: { password: 'Esta contraseña es muy fácil de adivinar o muy corta. Elige otra.' },
  same_password: { password: 'La contraseña nueva debe ser distinta de la anterior.' },
  user_banned: { form: 'Esta cuenta está bloqueada. Comunícate con el banco.' },
  user_already_exists: { email: 'Ya hay una cuenta con este email. Inicia sesión.' },
  over_email_send_rate_limit: {
    form: 'Acabamos de enviarte un correo. Espera un momento antes de pedir otro.',
  },
  over_request_rate_limit: { form: 'Fueron demasiados intentos. Espera un momento antes del siguiente.' },
  validation_failed: { form: 'Revisa lo que escribiste: el banco no lo pudo leer.' },
}
const unreachable = 'No pudimos comunicarnos con el banco. Revisa tu conexión e inténtalo de nuevo.'
const unavailable = 'El banco no puede responder en este momento. Inténtalo de nuevo en unos minutos.'

/** The refusal at the form, in Spanish, where the error's code is known. */
export function refusalAtForm(error: unknown): Refusal {
  if (!(error instanceof Error)) return {}
  const known = byCode[errorCode(error)]
  if (known !== undefined) return known
  if (error.name !== 'AuthRetryableFetchError') return {}
  return { form: 'status' in error && error.status === 0 ? unreachable : unavailable }
}
