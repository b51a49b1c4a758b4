export const transactionsCopy = {
  documentTitle: 'Transacciones - Finanzas',
  heading: 'Transacciones',
  loading: 'Cargando transacciones…',
  count: countOf,
  loadingMore: (rows: number) => `Cargando historial… ${rows.toLocaleString('es-CO')} movimientos`,
  newestOnly: (rows: number) => `Los ${rows.toLocaleString('es-CO')} más recientes`,
  firstExpense: 'Añade tu primer gasto',
  keys: {
    open: 'Teclas',
    title: 'Teclas de esta página',
    list: [
      ['n', 'Añadir un gasto'],
      ['/', 'Buscar'],
      ['?', 'Mostrar las teclas'],
      ['Ctrl Z', 'Recuperar lo último que eliminaste'],
      ['F8', 'Ir al aviso'],
      ['Esc', 'Cerrar un diálogo o un aviso'],
    ],
    single: 'Usar las teclas n, / y ?',
  },
  removedTitle: 'Transacción Eliminada',
  removedByBank: 'La registró el banco: eliminarla no cambia tu saldo.',
  undo: 'Deshacer',
  restoredTitle: 'Transacción restaurada',
  restoreFailedTitle: 'No se pudo restaurar la transacción',
  restoreFailedText: 'Revisa tu conexión e inténtalo de nuevo.',
  importFile: 'Importar',
  download: 'Descargar CSV',
  print: 'Imprimir',
  statements: 'Extractos',
  csvName: (day: string) => `transacciones-${day}.csv`,
  printedHeading: 'Historial de transacciones',
  printedFor: 'Cliente',
  printedOn: 'Impreso el',
  printedSelection: 'Muestra',
  printedColumns: ['Fecha', 'Descripción', 'Categoría', 'Registrado por'],
  printedAmount: 'Monto',
} as const

function countOf(rows: number): string {
  return `${rows.toLocaleString('es-CO')} ${rows === 1 ? 'movimiento' : 'movimientos'}`
}
