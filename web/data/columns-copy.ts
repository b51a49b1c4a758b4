export const columnsCopy = {
  /** Names of a transaction's columns. */
  names: {
    date: 'Fecha',
    description: 'Descripción',
    category: 'Categoría',
    type: 'Tipo',
    amount: 'Monto',
    recorded_by: 'Registrado por',
  },
  recorders: { customer: 'Cliente', bank: 'Banco' },
} as const
