/** Imports of every actor, and their attempts to import. */
export const importedRows = [{ date: '2026-01-01', description: 'Libro', amount: 1, category: null }]
