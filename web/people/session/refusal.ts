import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { configuration } from '#api/configuration.ts'
import { errorMessage, serviceMessage } from '#api/errors.ts'
import { lastWaitSeconds } from '#api/wait.ts'

/** The field to which a refusal refers, or `form` if the refusal does not refer to a particular field. */
export type RefusedField = 'email' | 'password' | 'form'

type Refusal = Partial<Record<RefusedField, string>>

const invalidEmail: Refusal = { email: 'Este email no es válido.' }

const byCode: Readonly<Record<string, Refusal>> = {
  invalid_credentials: { password: 'El email o la contraseña no son correctos.' },
  email_not_confirmed: {
    email: 'Aún no has confirmado tu email. Abre el enlace del correo que te enviamos, o pide otro.',
  },
  same_password: { password: 'La contraseña nueva debe ser distinta de la anterior.' },
  user_banned: { form: 'Esta cuenta está bloqueada. Comunícate con el banco.' },
  user_already_exists: { email: 'Ya hay una cuenta con este email. Inicia sesión.' },
  email_address_invalid: invalidEmail,
  validation_failed: { form: 'Revisa lo que escribiste: el banco no lo pudo leer.' },
}
/**
 * Start of GoTrue's message for an invalid email address. The error code is not specific enough, because every invalid
 * value has the same code.
 */
const invalidEmailMessage = 'Unable to validate email address'

/** The server's message for a name with which a customer could pretend to be the bank (docs/decisions/0083). */
const reservedNameMessage = 'This name is reserved'
const reservedName: Refusal = { form: 'Este nombre está reservado para el banco. Escribe el tuyo.' }

const tooOften: Readonly<Record<string, (wait: string) => string>> = {
  over_email_send_rate_limit: (wait) => `Acabamos de enviarte un correo. Podrás pedirlo de nuevo en ${wait}.`,
  over_request_rate_limit: (wait) => `Fueron demasiados intentos. Espera ${wait} antes del siguiente.`,
}
const offline = 'Tu dispositivo no tiene conexión a internet. Revísala e inténtalo de nuevo.'
const unreachable = 'No pudimos comunicarnos con el banco. Inténtalo de nuevo en un momento.'
const ended = 'Tu sesión terminó. Inicia sesión de nuevo.'
const unavailable = 'El banco no puede responder en este momento. Inténtalo de nuevo en unos minutos.'

const unknownCause = 'El banco no pudo hacerlo. Inténtalo de nuevo en un momento.'

/**
 * Returns error messages for the form, and one of them as the description for the toast. The messages are in Spanish,
 * except the service's own message of an error that the page does not know.
 */
export function refusalOf(error: unknown, password = ''): { description: string; errors: Refusal } {
  const known = refusalAtForm(error, password)
  const [description = serviceMessage(error) || unknownCause] = Object.values(known)
  return { description, errors: Object.keys(known).length === 0 ? { form: description } : known }
}

/**
 * Returns Spanish error messages for the form, or an empty object if neither the error's code nor its cause is known.
 * `password` is the password that was refused.
 */
export function refusalAtForm(error: unknown, password = ''): Refusal {
  const code = errorCode(error)
  if (code === 'weak_password') return { password: weaknessOf(password) }
  if (errorMessage(error).startsWith(invalidEmailMessage)) return invalidEmail
  if (errorMessage(error).startsWith(reservedNameMessage)) return reservedName
  const known = byCode[code]
  if (known !== undefined) return known
  const sentence = tooOften[code]?.(lastWait()) ?? causeOf(error)
  return sentence === undefined ? {} : { form: sentence }
}

function weaknessOf(password: string): string {
  const missing = configuration().passwordLengthMin - [...password].length
  if (missing <= 0) return 'Esta contraseña es muy fácil de adivinar. Elige otra.'
  return missing === 1 ? 'Te falta 1 carácter.' : `Te faltan ${missing} caracteres.`
}

/**
 * Returns an error message for a session that has ended, or for a request without a usable answer. Failing to load code
 * also causes a `TypeError`.
 */
function causeOf(error: unknown): string | undefined {
  if (error instanceof Error && error.name === 'AuthSessionMissingError') return ended
  const isUnanswered = error instanceof Error && error.name === 'AuthRetryableFetchError'
  if (isUnanswered && !('status' in error && error.status === 0)) return unavailable
  if (!isUnanswered && !(error instanceof TypeError)) return undefined
  return navigator.onLine ? unreachable : offline
}

/** Returns how long the user must wait after the service's last refusal: `45 segundos`, `3 minutos`, `un momento`. */
export function lastWait(): string {
  const seconds = lastWaitSeconds()
  if (seconds === 0) return 'un momento'
  const [count, unit] = seconds < 60 ? [seconds, 'segundo'] : [Math.ceil(seconds / 60), 'minuto']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
