import { counted, plural } from '#ui/format/count.ts'

const movements = (count: number) => counted(count, 'movimiento', 'movimientos')

export const ruleCopy = {
  always: (text: string) => `Usar siempre para «${text}»`,
  alwaysToo: (count: number) => `(también en ${counted(count, 'anterior', 'anteriores')})`,
  rule: (text: string, category: string) => `${text} → ${category}`,
  ruled: (text: string, category: string, count: number) =>
    count === 0
      ? `Siempre: ${text} → ${category}`
      : `Siempre: ${text} → ${category}, también en ${movements(count)}`,
  ruleSavedTitle: 'Regla guardada',
  ruleFailedTitle: 'No se pudo guardar la regla',
  failedText: 'Inténtalo de nuevo en un momento.',
  applyToo: (count: number) => `Aplicar también a ${movements(count)}`,
  appliedTitle: 'Movimientos actualizados',
  applied: (count: number, category: string) =>
    `${movements(count)} ${plural(count, 'está', 'están')} ahora en ${category}.`,
  applyFailedTitle: 'No se aplicó la regla',
  undo: 'Deshacer',
  undoneTitle: 'Cambio deshecho',
  undone: 'Los movimientos volvieron a la categoría que tenían.',
  undoFailedTitle: 'No se pudo deshacer',
  movements,
} as const
