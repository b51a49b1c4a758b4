export const listCopy = {
  cardTitle: 'Historial',
  summary: 'Resumen',
  balance: 'Saldo de hoy',
  moneyIn: 'Entradas',
  moneyOut: 'Salidas',
  none: 'Aún no tienes movimientos',
  empty: 'No se encontraron transacciones que coincidan con tus criterios.',
  listLabel: 'Transacciones',
  row: (parts: readonly string[]) => parts.filter(Boolean).join(', '),
  categorize: (category: string, parts: readonly string[]) =>
    `${category}: clasificar ${parts.filter(Boolean).join(', ')}`,
  remove: (parts: readonly string[]) => `Eliminar ${parts.filter(Boolean).join(', ')}`,
  details: {
    date: 'Fecha',
    category: 'Categoría',
    recordedBy: 'Registrado por',
    you: 'Tú',
    bank: 'El banco',
    declared: 'Lo que está entre comillas «» lo escribieron los clientes, y el banco no lo comprobó.',
  },
} as const
