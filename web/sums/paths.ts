import type { Period } from './sums.ts'

/** Where the history shows the transactions of a period, those of one category alone where one is named. */
export function historyPath({ since, until }: Period, category?: string): string {
  const named = category === undefined ? {} : { categoria: category }
  return `/transacciones?${new URLSearchParams({ ...named, desde: since, hasta: until }).toString()}`
}

/** Where the sums of a period are. */
export function overviewPath({ since, until }: Period): string {
  return `/resumen?${new URLSearchParams({ desde: since, hasta: until }).toString()}`
}
