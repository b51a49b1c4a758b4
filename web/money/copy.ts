export const transactionsCopy = {
  recordedByBank: 'Registrado por el banco',
} as const
