/** This file is separate from copy.ts, so that the login does not load these strings. */
export const codeCopy = {
  documentTitle: 'Código de verificación - Finanzas',
  app: {
    headline: 'Escribe tu código',
    intro: 'Abre tu aplicación de autenticación y escribe el código de seis dígitos que muestra.',
    field: 'Código',
    missing: 'Escribe el código de seis dígitos.',
    wrong: 'El código no es correcto o ya se usó. Espera el siguiente e inténtalo otra vez.',
    use: 'Usar el código de la aplicación',
  },
  recovery: {
    headline: 'Escribe tu código',
    intro: 'Escribe uno de los códigos de recuperación que guardaste. Cada uno sirve una sola vez.',
    field: 'Código de recuperación',
    missing: 'Escribe el código de recuperación.',
    wrong: 'El código no es correcto o ya se usó.',
    useWithoutPhone: 'No tengo mi teléfono: usar un código de recuperación',
    useWithoutKey: 'No tengo mi llave: usar un código de recuperación',
  },
  passkey: {
    documentTitle: 'Llave de acceso - Finanzas',
    headline: 'Usa tu llave de acceso',
    intro: 'Tu dispositivo te pedirá tu huella, tu rostro, tu PIN o tu llave de seguridad.',
    use: 'Usar llave de acceso',
    cancelled: 'No se usó ninguna llave. Inténtalo de nuevo o elige otra forma de entrar.',
    wrong: 'Esa llave de acceso no sirve para esta cuenta.',
    failed: 'No se pudo usar la llave de acceso',
    unsupported:
      'Este navegador no puede usar tu llave de acceso aquí. Entra desde otro dispositivo o usa un código de recuperación.',
  },
  submit: 'Continuar',
  lostPhone: 'No tengo mi teléfono ni mis códigos',
  lostKey: 'No tengo mi llave ni mis códigos',
  lostText:
    'Podemos quitar la verificación en dos pasos de tu cuenta dentro de 72 horas. Te avisaremos por correo; ese día se cierran todas las sesiones y creas otra contraseña con «¿Olvidaste tu contraseña?».',
  askForEnd: 'Quitarla en 72 horas',
  endAsked: (when: string) =>
    `La quitaremos el ${when}; desde entonces elige «¿Olvidaste tu contraseña?» para entrar.`,
  endFailed: 'No se pudo pedir',
  signOut: 'Cerrar Sesión',
  signOutFailed: 'Sign out Failed',
  failed: 'No se pudo verificar el código',
  locked: (wait: string) => `Fueron demasiados intentos. Espera ${wait} antes del siguiente.`,
} as const
