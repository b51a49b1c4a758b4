export const transactionsCopy = {
  unread: 'Aún no tenemos tus movimientos',
  recordedByBank: 'Registrado por el banco',
} as const
