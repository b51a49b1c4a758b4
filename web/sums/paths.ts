import type { Period } from './sums.ts'

/** Address of the history with the transactions of a period, and of one category if given. */
export function historyPath({ since, until }: Period, category?: string): string {
  const named = category === undefined ? {} : { categoria: category }
  return `/transacciones?${new URLSearchParams({ ...named, desde: since, hasta: until }).toString()}`
}

/** Address of the sums of a period. */
export function overviewPath({ since, until }: Period): string {
  return `/resumen?${new URLSearchParams({ desde: since, hasta: until }).toString()}`
}
