export const listCopy = {
  cardTitle: 'Historial',
  summary: 'Resumen',
  balance: 'Saldo de hoy',
  moneyIn: 'Entradas',
  moneyOut: 'Salidas',
  empty: 'No se encontraron transacciones que coincidan con tus criterios.',
  listLabel: 'Transacciones',
  today: 'Hoy',
  yesterday: 'Ayer',
  remove: (description: string) => `Eliminar ${description}`,
  details: {
    date: 'Fecha',
    category: 'Categoría',
    recordedBy: 'Registrado por',
    you: 'Tú',
    bank: 'El banco',
  },
} as const
