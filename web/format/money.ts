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

/** Writes a rounded amount in dollars: `$15K`, `$1.5M`. */
export function formatUsdCompact(value: number): string {
  return usdCompact().format(shownNumber(value))
}

const usdCompact = lazily(
  () =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      notation: 'compact',
      maximumFractionDigits: 1,
    }),
)

/** Writes a rounded amount in pesos: `500 mil`, `1,5 M`, `8.642 M`. The notation of `Intl` mixes `K`, `k` and `mil M`. */
export function formatCopCompact(value: number): string {
  const shown = shownNumber(value)
  const whole = Math.round(Math.abs(shown))
  if (whole >= 999_500) return `${copScaled(shown / 1_000_000)} M`
  return whole >= 1000 ? `${copScaled(shown / 1000)} mil` : copScaled(shown)
}

/** Writes numbers below 10 with up to one decimal, and others without decimals. */
function copScaled(value: number): string {
  return copPlain().format(Math.abs(value) < 10 ? Math.round(value * 10) / 10 : Math.round(value))
}

const copPlain = lazily(() => new Intl.NumberFormat('es-CO', { useGrouping: 'always' }))

/** Returns the number to show with two decimals, without `-0.00` and `NaN`. */
function shownNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0
  return Math.abs(value) < 0.005 ? 0 : value
}
