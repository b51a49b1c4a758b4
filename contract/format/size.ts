const steps = [
  [1e9, 'GB'],
  [1e6, 'MB'],
] as const

/** Formats a number of bytes for people: `8,6 kB`. */
export function sizeInWords(bytes: number): string {
  const [divisor, unit] = steps.find(([least]) => bytes >= least) ?? ([1000, 'kB'] as const)
  const value = new Intl.NumberFormat('es-CO', { maximumFractionDigits: 1 }).format(bytes / divisor)
  return `${value} ${unit}`
}
