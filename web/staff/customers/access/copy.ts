/** Texts for the actions that change a customer's access: button label, explanation and result. */
export const accessCopy = {
  acts: 'Acciones sobre el acceso',
  success: 'Éxito',
  failedTitle: 'No se pudo cambiar el acceso',
  told: (name: string) => `Le avisamos a ${name} por correo.`,
  proofPurpose: 'cambiar el acceso de esta persona',
  onlyOperator: 'El email y la verificación de un administrador los cambia el operador del banco.',
  block: {
    open: 'Bloquear',
    about: 'No podrá entrar, y sus sesiones se cierran. Su dinero queda como está.',
    title: 'Bloquear acceso',
    reason: 'Motivo',
    chooseReason: 'Elige el motivo',
    missingReason: 'Elige el motivo del bloqueo.',
    reasonHint: 'Queda en el registro del banco. Al cliente solo le decimos si él lo pidió.',
    duration: 'Por cuánto tiempo',
    durations: [
      { hours: 24, words: '24 horas' },
      { hours: 24 * 7, words: '7 días' },
      { hours: 24 * 30, words: '30 días' },
      { hours: null, words: 'Hasta que se desbloquee' },
    ],
    done: 'Acceso bloqueado',
  },
  unblock: {
    open: 'Desbloquear',
    about: 'Podrá entrar otra vez con su contraseña.',
    title: 'Desbloquear acceso',
    done: 'Acceso desbloqueado',
  },
  end_sessions: {
    open: 'Cerrar sesiones',
    about: 'Sale de todos sus dispositivos y tendrá que entrar otra vez.',
    title: 'Cerrar todas las sesiones',
    done: 'Sesiones cerradas',
  },
  reset_factor: {
    open: 'Quitar verificación',
    about:
      'Para quien perdió su teléfono: entrará solo con su contraseña. Comprueba antes que es la persona. Si el banco pide una segunda firma, la decide otro administrador.',
    title: 'Quitar la verificación en dos pasos',
    done: 'Verificación quitada',
  },
  resend: {
    open: {
      confirmation: 'Reenviar confirmación',
      invitation: 'Reenviar invitación',
      recovery: 'Enviar enlace para nueva contraseña',
    },
    about: {
      confirmation: 'Un enlace nuevo para confirmar su email. Los anteriores dejan de servir.',
      invitation: 'Un enlace nuevo para elegir su contraseña. Los anteriores dejan de servir.',
      recovery:
        'Para quien la olvidó: el enlace llega solo a su email confirmado. Su contraseña sigue igual hasta que lo use.',
    },
    done: 'Correo enviado',
    doneText: (email: string, life: string) => `Enviamos un enlace a ${email}; vence en ${life}.`,
  },
  change_email: {
    open: 'Cambiar email',
    about:
      'Le avisamos a los dos emails. Vale cuando el cliente lo acepte con su contraseña, o a las 72 horas si nadie lo cancela.',
    title: 'Cambiar email',
    email: 'Email nuevo',
    missing: 'Escribe el email nuevo.',
    done: 'Cambio de email pedido',
    doneText: (email: string) =>
      `Enviamos un enlace a ${email}: si nadie lo confirma allí en 72 horas, el cambio se olvida.`,
  },
  cancel_email_change: {
    open: 'Cancelar cambio de email',
    about: 'El cambio que está en espera se olvida, y los enlaces que enviamos dejan de servir.',
    title: 'Cancelar el cambio de email',
    done: 'Cambio de email cancelado',
  },
} as const
