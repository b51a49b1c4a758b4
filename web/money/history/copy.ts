import { countOf, counted } from '#ui/format/count.ts'

export const transactionsCopy = {
  documentTitle: 'Transacciones - Finanzas',
  heading: 'Transacciones',
  loading: 'Cargando transacciones…',
  count: rowsInWords,
  loadingMore: (rows: number) => `Cargando historial… ${countOf(rows)} movimientos`,
  newestOnly: (rows: number) => `Los ${countOf(rows)} más recientes`,
  firstExpense: 'Añade tu primer gasto',
  keys: {
    open: 'Teclas',
    title: 'Teclas de esta página',
    list: [
      ['N', 'Añadir un gasto'],
      ['/', 'Buscar'],
      ['Ctrl K', 'Buscar páginas, beneficiarios y movimientos'],
      ['?', 'Mostrar las teclas'],
      ['↑ ↓', 'Ir de un movimiento a otro'],
      ['Intro', 'Abrir el movimiento'],
      ['E', 'Editar el movimiento'],
      ['C', 'Cambiar la categoría'],
      ['Supr', 'Eliminar el movimiento'],
      ['Ctrl Z', 'Recuperar lo último que eliminaste'],
      ['F8', 'Ir al aviso'],
      ['Esc', 'Cerrar un diálogo o un aviso'],
    ],
    single: 'Usar las teclas N, / y ?',
  },
  removedTitle: 'Transacción Eliminada',
  removedOwn: 'Su monto volvió a tu saldo.',
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
} as const

function rowsInWords(rows: number): string {
  return counted(rows, 'movimiento', 'movimientos')
}
