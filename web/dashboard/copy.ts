export const dashboardCopy = {
  documentTitle: (brandName: string) => `Panel - ${brandName}`,
  greeting: (firstName: string) => (firstName === '' ? 'Hola' : `Hola, ${firstName}`),
  loading: 'Cargando…',

  bankTitle: 'Detalles de la Banca',
  balance: 'Saldo Depositado',
  requestTransfer: 'Solicitar Transferencia',

  whyBalance: '¿Por qué este saldo?',

  historyTitle: 'Historial de Transacciones',
  seeAll: 'Ver todo',
  historyEmpty: 'No hay transacciones recientes.',

  expenseTitle: 'Añadir Nuevo Gasto',

  budgetTitle: 'Presupuesto Mensual',
  editBudget: 'Editar presupuesto mensual',
  spentOf: (limit: string) => `de ${limit}`,
  left: (money: string) => `${money} por gastar`,
  spentIn: (month: string) => `gastados en ${month}`,
  budgetUnset: 'Aún no has fijado un límite para todo el mes.',
  budgetByCategory: 'Presupuesto por categoría',
  setBudget: 'Fija tu presupuesto',
  nothingSpent: 'Este mes no hay gastos todavía.',
  budgetMeter: 'Parte gastada del presupuesto',

  newsTitle: 'Noticias del Mercado',
  news: [
    { headline: 'La Fed mantiene las tasas de interés', source: 'Reuters' },
    { headline: 'El peso cierra la semana estable', source: 'Bloomberg Línea' },
    { headline: 'Las tecnológicas lideran Wall Street', source: 'CNBC' },
  ],

  marketTitle: 'Mercado Financiero',
  market: [
    { name: 'Bitcoin', change: '+2.5%', isUp: true },
    { name: 'Apple', change: '-0.8%', isUp: false },
    { name: 'Dólar', change: '+0.1%', isUp: true },
    { name: 'Microsoft', change: '+1.2%', isUp: true },
    { name: 'Petróleo', change: '-1.5%', isUp: false },
  ],
} as const
