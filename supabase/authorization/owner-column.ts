/** Which column of a table holds the row's owner. */
export function ownerColumn(table: string, columns: readonly string[]): string | null {
  // Two people stand in an entry of the audit; its target is the one that it could give away.
  if (table.startsWith('audit')) return 'target'
  if (['profiles', 'user_safe', 'users'].includes(table)) return 'id'
  return ['user_id', 'actor'].find((column) => columns.includes(column)) ?? null
}
