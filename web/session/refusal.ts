import { errorCode } from '#backend/errors.ts'

/** Shown at the form when the auth service refuses; its own words are in the toast (docs/specification.md §8). */
const copy = {
  invalidCredentials: 'El email o la contraseña no son correctos.',
  emailNotConfirmed:
    'Aún no has confirmado tu email. Abre el enlace del correo que te enviamos; si no lo tienes, regístrate otra vez con el mismo email y te enviaremos otro.',
  weakPassword: 'Esta contraseña es muy fácil de adivinar o muy corta. Elige otra.',
  samePassword: 'La contraseña nueva debe ser distinta de la anterior.',
  userBanned: 'Esta cuenta está bloqueada. Comunícate con el banco.',
  userExists: 'Ya hay una cuenta con este email. Inicia sesión.',
  mailTooSoon: 'Acabamos de enviarte un correo. Espera un momento antes de pedir otro.',
  tooManyRequests: 'Fueron demasiados intentos. Espera un momento antes del siguiente.',
  invalid: 'Revisa lo que escribiste: el banco no lo pudo leer.',
  unreachable: 'No pudimos comunicarnos con el banco. Revisa tu conexión e inténtalo de nuevo.',
  unavailable: 'El banco no puede responder en este momento. Inténtalo de nuevo en unos minutos.',
} as const

/** The error's own message, for a toast; `fallback` where it has none that is readable. */
export function refusalMessage(error: unknown, fallback: string): string {
  const message = error instanceof Error ? error.message : ''
  // The client makes a body without a message into JSON.
  return message === '' || /^[{[]/.test(message) ? fallback : message
}

/** The field to which a refusal belongs; `form` for what is no field's fault. */
export type RefusedField = 'email' | 'password' | 'form'

const byCode: Readonly<Record<string, { field: RefusedField; sentence: string }>> = {
  invalid_credentials: { field: 'password', sentence: copy.invalidCredentials },
  email_not_confirmed: { field: 'email', sentence: copy.emailNotConfirmed },
  weak_password: { field: 'password', sentence: copy.weakPassword },
  same_password: { field: 'password', sentence: copy.samePassword },
  user_banned: { field: 'form', sentence: copy.userBanned },
  user_already_exists: { field: 'email', sentence: copy.userExists },
  over_email_send_rate_limit: { field: 'form', sentence: copy.mailTooSoon },
  over_request_rate_limit: { field: 'form', sentence: copy.tooManyRequests },
  validation_failed: { field: 'form', sentence: copy.invalid },
}

/** The refusal at the form, in Spanish, where the error's code is known. */
export function refusalAtForm(error: unknown): Partial<Record<RefusedField, string>> {
  if (!(error instanceof Error)) return {}
  const known = byCode[errorCode(error)]
  if (known !== undefined) return { [known.field]: known.sentence }
  if (error.name !== 'AuthRetryableFetchError') return {}
  return { form: 'status' in error && error.status === 0 ? copy.unreachable : copy.unavailable }
}
