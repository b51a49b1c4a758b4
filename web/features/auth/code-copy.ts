/** A file of its own: the login does not wait for its words. */
export const codeCopy = {
  documentTitle: 'Código de verificación - Finanzas',
  headline: 'Escribe tu código',
  intro: 'Abre tu aplicación de autenticación y escribe el código de seis dígitos que muestra.',
  code: 'Código',
  missing: 'Escribe el código de seis dígitos.',
  recoveryIntro: 'Escribe uno de los códigos de recuperación que guardaste. Cada uno sirve una sola vez.',
  recoveryCode: 'Código de recuperación',
  missingRecovery: 'Escribe el código de recuperación.',
  submit: 'Continuar',
  useRecovery: 'No tengo mi teléfono: usar un código de recuperación',
  useApp: 'Usar el código de la aplicación',
  lost: 'No tengo mi teléfono ni mis códigos',
  lostText:
    'Podemos quitar la verificación en dos pasos de tu cuenta dentro de 72 horas. Te avisaremos por correo; ese día se cierran todas las sesiones y creas otra contraseña con «¿Olvidaste tu contraseña?».',
  askForEnd: 'Quitarla en 72 horas',
  endAsked: (when: string) =>
    `La quitaremos el ${when}. Desde entonces elige «¿Olvidaste tu contraseña?» para entrar.`,
  endFailed: 'No se pudo pedir',
  signOut: 'Cerrar Sesión',
  signOutFailed: 'Sign out Failed',
  failed: 'No se pudo verificar el código',
  wrong: 'El código no es correcto o ya se usó. Espera el siguiente e inténtalo otra vez.',
  wrongRecovery: 'El código no es correcto o ya se usó.',
  locked: 'Fueron demasiados intentos. Espera un momento antes del siguiente.',
} as const
