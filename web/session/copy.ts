/** What stands at a form when the auth service refuses; its own words are in the toast (spec §8). */
export const refusalCopy = {
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
