import { errorCode } from '@finanzas/contract/error-code.ts'
import { errorMessage } from '#backend/errors.ts'
import { lastWaitSeconds } from '#backend/wait.ts'

/** The field that a refusal concerns, or `form` if it concerns no field. */
export type RefusedField = 'email' | 'password' | 'form'

type Refusal = Partial<Record<RefusedField, string>>

const invalidEmail: Refusal = { email: 'Este email no es válido.' }

/** Sentences at the form. The toast shows the service's own message (docs/specification.md §8). */
const byCode: Readonly<Record<string, Refusal>> = {
  invalid_credentials: { password: 'El email o la contraseña no son correctos.' },
  email_not_confirmed: {
    email: 'Aún no has confirmado tu email. Abre el enlace del correo que te enviamos, o pide otro.',
  },
  weak_password: { password: 'Esta contraseña es muy fácil de adivinar o muy corta. Elige otra.' },
  same_password: { password: 'La contraseña nueva debe ser distinta de la anterior.' },
  user_banned: { form: 'Esta cuenta está bloqueada. Comunícate con el banco.' },
  user_already_exists: { email: 'Ya hay una cuenta con este email. Inicia sesión.' },
  email_address_invalid: invalidEmail,
  validation_failed: { form: 'Revisa lo que escribiste: el banco no lo pudo leer.' },
}
/** Beginning of GoTrue's message for an invalid address. The code is not enough, because any unreadable value has it. */
const invalidEmailMessage = 'Unable to validate email address'

const tooOften: Readonly<Record<string, (wait: string) => string>> = {
  over_email_send_rate_limit: (wait) => `Acabamos de enviarte un correo. Espera ${wait} antes de pedir otro.`,
  over_request_rate_limit: (wait) => `Fueron demasiados intentos. Espera ${wait} antes del siguiente.`,
}
const offline = 'Tu dispositivo no tiene conexión a internet. Revísala e inténtalo de nuevo.'
const unreachable = 'No pudimos comunicarnos con el banco. Inténtalo de nuevo en un momento.'
const unavailable = 'El banco no puede responder en este momento. Inténtalo de nuevo en unos minutos.'

/** Returns Spanish sentences for the form, if the error's code or cause is known. */
export function refusalAtForm(error: unknown): Refusal {
  const code = errorCode(error)
  if (errorMessage(error).startsWith(invalidEmailMessage)) return invalidEmail
  const known = byCode[code]
  if (known !== undefined) return known
  const sentence = tooOften[code]?.(lastWait()) ?? causeOf(error)
  return sentence === undefined ? {} : { form: sentence }
}

/** Returns a sentence for a request without an answer. Code that could not be loaded is a `TypeError` too. */
function causeOf(error: unknown): string | undefined {
  const isUnanswered = error instanceof Error && error.name === 'AuthRetryableFetchError'
  if (isUnanswered && !('status' in error && error.status === 0)) return unavailable
  if (!isUnanswered && !(error instanceof TypeError)) return undefined
  return navigator.onLine ? unreachable : offline
}

/** Returns the wait after the service's last refusal: `45 segundos`, `3 minutos`, `un momento`. */
export function lastWait(): string {
  const seconds = lastWaitSeconds()
  if (seconds === 0) return 'un momento'
  const [count, unit] = seconds < 60 ? [seconds, 'segundo'] : [Math.ceil(seconds / 60), 'minuto']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
