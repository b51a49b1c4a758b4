/** This file is separate from copy.ts, because only the page for mailed links shows these strings. */
export const linkCopy = {
  documentTitle: 'Abrir enlace - Finanzas',
  kinds: {
    signup: {
      headline: 'Confirma tu cuenta',
      intro: 'Este enlace confirma tu email y abre tu cuenta.',
      submit: 'Confirmar mi cuenta',
    },
    recovery: {
      headline: 'Crea una contraseña nueva',
      intro: 'Este enlace te deja elegir otra contraseña.',
      submit: 'Continuar',
    },
    invite: {
      headline: 'Acepta tu invitación',
      intro: 'Este enlace abre tu cuenta y te deja elegir tu contraseña.',
      submit: 'Aceptar la invitación',
    },
    email_change: {
      headline: 'Aprueba el cambio de email',
      intro: 'Este enlace aprueba que tu cuenta use otro email.',
      submit: 'Aprobar el cambio',
    },
    second_factor: {
      headline: '¿No fuiste tú?',
      intro:
        'Quitaremos de tu cuenta lo que se añadió, cerraremos todas las sesiones y anularemos la contraseña. Después crearás otra.',
      submit: 'Quitar y cerrar todo',
    },
    address_confirmation: {
      headline: 'Confirma que este email es tuyo',
      intro: 'El banco pidió que tu cuenta use este email. Este enlace lo confirma y no abre la cuenta.',
      submit: 'Confirmar este email',
    },
    address_cancellation: {
      headline: 'Cancela el cambio de email',
      intro: 'Tu cuenta se queda con su email de ahora. No necesitas iniciar sesión.',
      submit: 'Cancelar el cambio',
    },
    stop_notices: {
      headline: 'No recibir más este aviso',
      intro: 'Dejaremos de enviarte los avisos de este tipo. Puedes volver a elegirlos en tu perfil.',
      submit: 'No recibir más este aviso',
    },
    stop_request_notices: {
      headline: 'No recibir este aviso durante 30 días',
      intro: 'Dejaremos de avisarte de las solicitudes por decidir. En 30 días volveremos a hacerlo.',
      submit: 'No recibir este aviso',
    },
    other: {
      headline: 'Entra a tu cuenta',
      intro: 'Este enlace abre tu cuenta.',
      submit: 'Entrar',
    },
  },
  cancel: 'Ahora no',
  question: {
    headline: (email: string) => `¿Entrar como ${email}?`,
    intro: (present: string) =>
      `En este navegador está abierta la cuenta de ${present}. Si sigues, la cerramos aquí.`,
    introUnknown: 'En este navegador está abierta una cuenta. Si sigues, la cerramos aquí.',
    unexpected: 'El enlace no es del email con el que lo pediste en este navegador.',
    accept: (email: string) => `Entrar como ${email}`,
    decline: (present: string) => `Seguir como ${present}`,
  },
  undoneTitle: 'Listo: tu cuenta volvió a ser tuya',
  undoneText: 'Elige «¿Olvidaste tu contraseña?» para crear otra contraseña.',
  confirmedTitle: 'Email confirmado',
  confirmedText:
    'Valdrá en la fecha que dice el correo. Para usarlo desde ya, inicia sesión con tu email de antes y acéptalo en tu perfil.',
  cancelledTitle: 'Cambio cancelado',
  cancelledText: 'Tu cuenta se queda con el email de siempre.',
  stoppedTitle: 'Listo: no recibirás más este aviso',
  stoppedText: 'Puedes volver a elegirlo en tu perfil, en «Notificaciones».',
  stoppedRequestsTitle: 'Listo: no recibirás este aviso durante 30 días',
  stoppedRequestsText: 'Mientras tanto, mira las solicitudes en la administración.',
  deadStopTitle: 'Este enlace ya no sirve',
  deadStopText:
    'Ya lo usaste, o cambiaste tus avisos después del correo. Míralos en tu perfil, en «Notificaciones».',
  deadRequestsText: 'Ya lo usaste. Mira las solicitudes en la administración.',
  halfTitle: 'Falta un paso',
  halfText: 'Abre también el enlace que enviamos al otro email.',
  enteredTitle: '¡Bienvenido! 🎉',
  enteredText: (email: string) => `Entraste como ${email}.`,
  failedTitle: 'No se pudo abrir el enlace',
} as const
