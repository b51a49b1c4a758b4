import type { BlockReason, PaperReason } from '@finanzas/contract/database-types.ts'

export const staffCopy = {
  roles: { user: 'Cliente', admin: 'Admin' },
  unnamed: 'Sin nombre',
  blockReasons: {
    customer_request: 'Lo pidió el cliente',
    suspected_fraud: 'Actividad sospechosa',
    identity_check: 'Verificación de identidad pendiente',
    legal_order: 'Orden de una autoridad',
    other: 'Otro motivo',
  } satisfies Record<BlockReason, string> as Readonly<Record<string, string>>,
  paperReasons: {
    in_person: 'Lo pidió en el mostrador',
    by_telephone: 'Lo pidió por teléfono',
    in_writing: 'Lo pidió por escrito',
    authority: 'Lo pidió una autoridad',
    other: 'Otro motivo',
  } satisfies Record<PaperReason, string> as Readonly<Record<string, string>>,
  reason: 'Motivo',
  reasonHint: 'El cliente lo lee.',
  missingReason: 'Escribe el motivo.',
  frequentReasons: 'Motivos frecuentes',
  reasons: ['Monto equivocado', 'Cliente equivocado', 'Duplicado'],
  noAnswer: 'No llegó la respuesta. Inténtalo de nuevo con los mismos datos: no se hará dos veces.',
  serverFailure:
    'El banco no pudo hacerlo ahora. Inténtalo de nuevo con los mismos datos: no se hará dos veces.',

  ownAccount: 'Es tu propia cuenta',
  ownAccountNotice:
    'Es tu propia cuenta. El banco puede no permitirlo; si lo permite, todos los administradores reciben un correo.',

  transactionDialogTitle: 'Nueva transacción',
  type: 'Tipo',
  types: { deposit: 'Depósito', expense: 'Gasto' },
  amount: 'Monto (COP)',
  customerSees: (name: string, money: string) => `${name} verá ${money} (dólares)`,
  description: 'Descripción',
  saveTransaction: 'Registrar',
  saveAmount: {
    deposit: (name: string) => (money: string) => `Depositar ${money} a ${name}`,
    expense: (name: string) => (money: string) => `Registrar gasto de ${money} de ${name}`,
  },
  unusual: {
    deposit: (times: number) =>
      `Son ${timesInWords(times)} veces su depósito habitual. ¿Depositar de todos modos?`,
    expense: (times: number) =>
      `Son ${timesInWords(times)} veces su gasto habitual. ¿Registrar de todos modos?`,
  },
  unusualConfirmed: { deposit: 'Depositar', expense: 'Registrar' },
  savedAmount: {
    deposit: (money: string, name: string) => `Depositaste ${money} a ${name}`,
    expense: (money: string, name: string) => `Registraste un gasto de ${money} de ${name}`,
  },
  transactionSavedText: 'Transacción registrada correctamente.',
  open: 'Ver',
  approval: {
    title: 'Espera a otro administrador',
    text: 'Se hará cuando otra persona lo apruebe en Solicitudes.',
    createdText:
      'Usuario creado como cliente. Tendrá el rol de administrador cuando otra persona lo apruebe.',
  },
  transactionFailedTitle: 'Error en la transacción',
  transactionPurpose: 'registrar este monto',
} as const

function timesInWords(times: number): string {
  return times.toLocaleString('es-CO', { useGrouping: 'always' })
}
