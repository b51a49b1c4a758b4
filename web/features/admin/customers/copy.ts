import { balanceCopy, type BalanceCopy } from '#balance/copy.ts'

export const customersCopy = {
  documentTitle: 'Cliente - Finanzas',
  heading: 'Cliente',
  loading: 'Cargando cliente…',
  back: 'Panel de Administración',
  sections: 'Secciones del cliente',
  movements: 'Movimientos',
  account: 'Cuenta y acceso',
  failed: 'No se pudo cargar este cliente.',
  missing: 'Este cliente no existe.',
  forbidden: 'Solo un administrador puede ver a un cliente.',
  states: {
    unconfirmed: 'Email sin confirmar',
    blocked: (until: string) => `Bloqueado hasta el ${until}`,
    blockedForGood: 'Bloqueado',
    secondFactor: 'Verificación en dos pasos',
  },
  why: '¿Por qué este saldo?',
  count: (rows: number) => `${rows.toLocaleString('es-CO')} ${rows === 1 ? 'movimiento' : 'movimientos'}`,
  newTransaction: 'Nueva transacción',
  newTransactionShort: 'Nueva',
  recorder: 'El cliente',
  correct: 'Corregir',
  correction: {
    title: 'Corregir movimiento',
    explained: (type: 'deposit' | 'expense') => (money: string) =>
      type === 'deposit'
        ? `Se registra un gasto de ${money} que lo anula. El cliente ve los dos, con el motivo y tu nombre.`
        : `Se registra un depósito de ${money} que lo anula. El cliente ve los dos, con el motivo y tu nombre.`,
    reason: 'Motivo',
    reasonHint: 'El cliente lo lee.',
    missingReason: 'Escribe el motivo.',
    unsavableReason: 'Tiene caracteres que no se pueden guardar.',
    longReason: 'Usa 200 caracteres como máximo.',
    doneTitle: 'Movimiento corregido',
    failedTitle: 'Error en la corrección',
    purpose: 'corregir este monto',
  },
  budget: {
    title: 'Presupuesto Mensual',
    limit: 'Límite del mes',
    spent: 'Gastado este mes',
    left: 'Queda',
    exceeded: 'Excedido',
    unset: 'Sin límite',
  },
  access: {
    title: 'Acceso',
    email: 'Email',
    emailChange: 'Cambio de email en espera',
    changeByCustomer: (begun: string) => `Lo pidió el cliente el ${begun}`,
    changeByBank: (begun: string, counts: string, isConfirmed: boolean) =>
      `Lo pidió el banco el ${begun}. ${isConfirmed ? `Ya se confirmó en ese email: vale el ${counts}` : `Falta confirmarlo en ese email antes del ${counts}`}`,
    role: 'Rol',
    since: 'Cliente desde',
    confirmed: 'Email confirmado',
    lastSignIn: 'Último acceso',
    secondFactor: 'Verificación en dos pasos',
    on: 'Activada',
    off: 'Sin activar',
    no: 'No',
    never: 'Nunca',
    sessions: 'Sesiones abiertas',
    noSessions: 'Ninguna',
    session: (begun: string, used: string) => `Desde el ${begun} · último uso ${used}`,
    moreSessions: (sessions: number) => `y ${sessions} más`,
    unknownDevice: 'Dispositivo desconocido',
  },
  remove: {
    open: 'Eliminar cliente',
    about: 'Sus datos se borran, y su saldo se da de baja en los libros.',
    title: 'Eliminar cliente',
    explained: (name: string) => (money: string) =>
      `${name} tiene ${money}. Al eliminar la cuenta, el saldo se da de baja en los libros y sus datos se borran. No se puede deshacer.`,
    typed: (money: string) => `Escribe el saldo para confirmar: ${money}`,
    mismatch: 'No es el saldo de la cuenta.',
    submit: 'Eliminar',
    done: 'Usuario eliminado.',
    success: 'Éxito',
    failedTitle: 'Error al eliminar',
    purpose: 'eliminar este cliente',
  },
} as const

/** The explanation of a customer's balance, written for staff. */
export const customerBalanceCopy: BalanceCopy = {
  ...balanceCopy,
  correctionsHint: 'Gastos suyos que eliminó o recuperó.',
  journalEmpty: 'Su libro aún no tiene registros.',
  journalCount: (entries) => balanceCopy.journalCount(entries).replace('Tu libro', 'Su libro'),
  journalKinds: { ...balanceCopy.journalKinds, removal: 'movimiento quitado de su lista' },
  verifyExplained:
    'Cada registro lleva una huella que depende de todos los anteriores. Tu navegador las calcula otra vez, sin confiar en el servidor.',
  verified: (entries) => balanceCopy.verified(entries).replace('tu saldo', 'su saldo'),
  verifiedEmpty: 'Todo coincide: no hay registros y su saldo es cero.',
  broken: (entry, fault) =>
    `No coincide en el registro ${entry}: ${fault}. Avísale a quien opera el servidor, con este número.`,
  brokenTotal:
    'No coincide: los registros están intactos, pero no suman su saldo. Avísale a quien opera el servidor.',
  verifyFailed: 'No se pudo leer su libro hasta el final.',
  verifyNeedsHttps: 'Tu navegador solo puede verificar cuando la dirección empieza por https.',
}
