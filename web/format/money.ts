import { lazily } from './lazily.ts'

const usd = lazily(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }))
const cop = lazily(
  () =>
    new Intl.NumberFormat('es-CO', {
      style: 'currency',
      currency: 'COP',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }),
)

const compact = { style: 'currency', notation: 'compact', maximumFractionDigits: 1 } as const
const usdCompact = compactIn('en-US', 'USD')
const copCompact = compactIn('es-CO', 'COP')

/**
 * Writes US dollars in en-US, always with two decimals. Anything but a finite number shows as zero
 * (docs/specification.md §1).
 */
export function formatUsd(value: unknown): string {
  return usd().format(shownNumber(value))
}

/** Writes Colombian pesos in es-CO, with two decimals. Anything but a finite number shows as zero. */
export function formatCop(value: unknown): string {
  return cop().format(shownNumber(value))
}

/** Writes a rounded amount in dollars: `$15.0K`. */
export function formatUsdCompact(value: number): string {
  return usdCompact(shownNumber(value))
}

/** Writes a rounded amount in pesos: `$ 54,3 M`. */
export function formatCopCompact(value: number): string {
  return copCompact(shownNumber(value))
}

/** Uses one decimal for amounts of a thousand and more, so that neighbouring amounts look alike. */
function compactIn(locale: string, currency: string): (value: number) => string {
  const small = lazily(() => new Intl.NumberFormat(locale, { ...compact, currency }))
  const large = lazily(
    () => new Intl.NumberFormat(locale, { ...compact, currency, minimumFractionDigits: 1 }),
  )
  return (value) => (Math.abs(value) < 1000 ? small() : large()).format(value)
}

/** Returns the number to show with two decimals, without `-0.00` and `NaN`. */
function shownNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0
  return Math.abs(value) < 0.005 ? 0 : value
}
