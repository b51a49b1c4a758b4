const figures = new Intl.NumberFormat('es-CO')

/** "1 fila", "5.018 filas". */
export function counted(count: number, one: string, many: string): string {
  return `${figures.format(count)} ${count === 1 ? one : many}`
}

/** A size as people read it: "8,6 kB". */
export function sizeInWords(bytes: number): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${new Intl.NumberFormat('es-CO', { maximumFractionDigits: 1 }).format(value)} ${unit}`
}
