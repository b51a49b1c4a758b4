/** Separate from copy.ts, because only a few users add a passkey. */
export const passkeyCopy = {
  title: 'Llave de acceso',
  explained:
    'La guardas en este dispositivo, en tu gestor de contraseñas o en una llave de seguridad. Al iniciar sesión la confirmas con tu huella, tu rostro o tu PIN.',
  name: 'Nombre',
  nameHint: 'Para reconocerla en tu lista.',
  missingName: 'Escribe un nombre.',
  takenName: 'Ya tienes una con ese nombre. Elige otro.',
  submit: 'Continuar',
  failed: 'No se pudo añadir',
  tryAgain: 'Inténtalo de nuevo en un momento.',
} as const
