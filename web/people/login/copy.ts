export const authCopy = {
  signIn: {
    documentTitle: 'Iniciar Sesión - Finanzas',
    headline: 'Bienvenido a Finanzas',
    intro: 'Entra con tu email y tu contraseña.',
    submit: 'Iniciar Sesión',
    switchQuestion: '¿No tienes cuenta?',
    switchAction: 'Regístrate',
    failed: 'Sign in Failed',
    doneTitle: '¡Bienvenido de nuevo! 🎉',
    doneText: 'Has iniciado sesión correctamente.',
  },
  signUp: {
    documentTitle: 'Registrarse - Finanzas',
    headline: 'Crea tu Cuenta',
    intro: 'Te enviaremos un correo para confirmarla.',
    submit: 'Registrarse',
    switchQuestion: '¿Ya tienes cuenta?',
    switchAction: 'Inicia sesión',
    failed: 'Sign up Failed',
    doneTitle: '¡Registro exitoso! 🚀',
    doneText: 'Revisa tu correo para confirmar tu cuenta.',
  },
  recovery: {
    documentTitle: 'Recuperar Contraseña - Finanzas',
    headline: 'Recupera tu contraseña',
    intro: 'Escribe tu email y te enviaremos un enlace para crear una nueva.',
    submit: 'Enviar enlace',
    switchQuestion: '¿Ya la recordaste?',
    switchAction: 'Inicia sesión',
    failed: 'No se pudo enviar el enlace',
    doneTitle: 'Revisa tu correo',
    doneText: 'Si hay una cuenta con ese email, te enviamos un enlace para crear otra contraseña.',
  },
  sent: {
    signUp: (email: string) =>
      `Te enviamos un correo a ${email}. Abre su enlace para confirmar tu cuenta; puede tardar unos minutos o estar en el correo no deseado.`,
    recovery: (email: string) =>
      `Si hay una cuenta con ${email}, le enviamos un enlace para crear otra contraseña. Puede tardar unos minutos o estar en el correo no deseado.`,
    unconfirmed: (email: string) => `¿No encuentras el correo que enviamos a ${email}?`,
    again: 'Reenviar correo',
    sentAgain: 'Correo reenviado',
    failed: 'No se pudo reenviar el correo',
  },
  email: 'Email',
  password: 'Contraseña',
  forgotPassword: '¿Olvidaste tu contraseña?',
  passwordHint: (lengthMin: number) => `Usa ${lengthMin} caracteres o más.`,
  tagline: 'Tu saldo, tus movimientos y tu presupuesto, sin vueltas.',
  deadLink: {
    used: {
      signup:
        'El enlace caducó o ya se usó. Si ya confirmaste tu cuenta, inicia sesión; si no, regístrate otra vez con el mismo email y te enviaremos un enlace nuevo.',
      recovery:
        'El enlace caducó o ya se usó. Elige «¿Olvidaste tu contraseña?» y te enviaremos un enlace nuevo.',
      invite:
        'La invitación caducó o ya se usó. Si ya elegiste tu contraseña, inicia sesión; si no, pide al banco otra invitación.',
      email_change:
        'El enlace caducó o ya se usó. Inicia sesión: tu perfil dice qué email tiene tu cuenta, y allí puedes pedir el cambio de nuevo.',
      address_confirmation:
        'El enlace caducó o ya se usó. Inicia sesión: tu perfil dice qué email tiene tu cuenta.',
      address_cancellation:
        'El enlace caducó o ya se usó. Inicia sesión: tu perfil dice qué email tiene tu cuenta.',
      second_factor:
        'El enlace caducó o ya se usó. Si no reconoces algo en tu cuenta, elige «¿Olvidaste tu contraseña?» y comunícate con el banco.',
    },
    usedOther:
      'El enlace caducó o ya se usó. Inicia sesión, o elige «¿Olvidaste tu contraseña?» para recibir un enlace nuevo.',
    elsewhere:
      'Este enlace se pidió en otro navegador y solo sirve allí. Si era para confirmar tu cuenta, ya quedó confirmada: inicia sesión. Si era para otra contraseña, pide un enlace nuevo desde aquí.',
  },
  forbiddenStorage:
    'Tu navegador no guarda datos de este sitio. Puedes entrar, pero tu sesión termina cuando cierres esta página.',
  incompleteTitle: 'Campos incompletos',
  incompleteText: 'Por favor, introduce tu email y contraseña.',
  missingEmail: 'Escribe tu email.',
  missingPassword: 'Escribe tu contraseña.',
} as const
