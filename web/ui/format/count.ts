/** Formats a count in Colombian notation. */
export function countOf(count: number): string {
  return count.toLocaleString('es-CO')
}

/** Returns the singular form for one, and the plural form for any other count. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many
}

/** Formats a count with its noun: `1 gasto`, `1.234 gastos`. */
export function counted(count: number, one: string, many: string): string {
  return `${countOf(count)} ${plural(count, one, many)}`
}
