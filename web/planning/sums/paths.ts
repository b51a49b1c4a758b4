import type { Period } from './sums.ts'

/** Returns the URL of the history page, filtered by a period and optionally by a category. */
export function historyPath({ since, until }: Period, category?: string): string {
  const named = category === undefined ? {} : { categoria: category }
  return `/transacciones?${new URLSearchParams({ ...named, desde: since, hasta: until }).toString()}`
}

/** Returns the URL of the overview page for a period. */
export function overviewPath({ since, until }: Period): string {
  return `/resumen?${new URLSearchParams({ desde: since, hasta: until }).toString()}`
}
