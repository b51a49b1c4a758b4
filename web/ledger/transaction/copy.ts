export const transactionCopy = {
  description: 'Descripción',
  category: 'Categoría',
  proposedCategory: 'Categoría propuesta',
  noCategory: 'Ninguna',
  remove: 'Eliminar',

  edit: 'Editar',
  editTitle: 'Editar movimiento',
  bankDescription: 'La descripción es la del banco. La categoría la eliges tú.',
  save: 'Guardar cambios',
  savedTitle: 'Movimiento actualizado',
  undo: 'Deshacer',
  undoneTitle: 'Cambio deshecho',
  failedTitle: 'No se pudo guardar el cambio',
  failedText: 'Inténtalo de nuevo en un momento.',
  tooMany: 'Ya hiciste todos los cambios que caben en 24 horas. Sigue mañana.',
  gone: 'Este movimiento ya no está en tu lista.',
} as const
