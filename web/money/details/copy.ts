export const transactionCopy = {
  remove: 'Eliminar',

  edit: 'Editar',
  repeat: 'Repetir cada mes',
  receipt: {
    download: 'Descargar comprobante',
    share: 'Compartir comprobante',
    fileName: (id: string, format: string) => `comprobante-${id.slice(0, 8)}.${format}`,
    failedTitle: 'No se pudo descargar el comprobante',
    failedText: 'Revisa tu conexión e inténtalo de nuevo.',
  },
  editTitle: 'Editar movimiento',
  category: 'Categoría',
  byBank: 'Lo registró el banco',
  bankDescription: 'La descripción es la del banco. La categoría la eliges tú.',
  save: 'Guardar cambios',
  savedTitle: 'Movimiento actualizado',
  undo: 'Deshacer',
  undoneTitle: 'Cambio deshecho',
  failedTitle: 'No se pudo guardar el cambio',
  failedText: 'Inténtalo de nuevo en un momento.',
  tooMany: 'Ya hiciste todos los cambios que caben en 24 horas. Sigue mañana.',
  gone: 'Este movimiento ya no está en tu lista.',
  corrections: {
    corrected: (name: string, date: string, reason: string) => `Corregido por ${name} el ${date}: ${reason}`,
    replaced: (sentence: string) => `${sentence}. El monto correcto quedó en otro movimiento.`,
    replaces: (description: string, date: string, reason: string) =>
      `Reemplaza a «${description}» del ${date}: ${reason}`,
    replacesGone: (reason: string) => `Reemplaza a un movimiento que ya no está en la lista: ${reason}`,
    theBank: 'el banco',
    corrects: (description: string, date: string, reason: string) =>
      `Corrige «${description}» del ${date}: ${reason}`,
    correctsGone: (reason: string) => `Corrige un movimiento que ya no está en la lista: ${reason}`,
  },
} as const
