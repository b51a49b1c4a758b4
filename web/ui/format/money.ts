import { amountInWords } from '@finanzas/contract/money.ts'
import { lazily } from './lazily.ts'

/**
 * Formats US dollars for en-US, always with two decimals. Any value that is not a finite number is shown as zero
 * (docs/specification.md §1).
 */
export function formatUsd(value: unknown): string {
  return amountInWords(shownNumber(value).toFixed(2), 'USD')
}

/** Formats Colombian pesos for es-CO, like `formatUsd`. An amount never wraps, and its blank is therefore a no-break space. */
export function formatCop(value: unknown): string {
  return amountInWords(shownNumber(value).toFixed(2), 'COP').replace(' ', '\u00A0')
}

/**
 * Formats a rounded amount in dollars: `$12.50`, `$509`, `$15K`, `$1.5M`. Amounts from 100 to 999 have no decimals, and
 * smaller amounts are exact.
 */
export function formatUsdCompact(value: number): string {
  const shown = shownNumber(value)
  const size = Math.abs(shown)
  if (size < 100 && !Number.isInteger(shown)) return formatUsd(shown)
  return usdCompact().format(size < 1000 ? Math.sign(shown) * Math.round(size) : shown)
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

/**
 * Formats a rounded amount in pesos: `500 mil`, `1,5 M`, `8.642 M`. The function does not use the compact notation of
 * `Intl`, because that notation mixes `K`, `k` and `mil M`.
 */
export function formatCopCompact(value: number): string {
  const shown = shownNumber(value)
  const whole = Math.round(Math.abs(shown))
  if (whole < 100 && !Number.isInteger(shown)) return copPlain().format(shown)
  if (whole >= 999_500) return `${copScaled(shown / 1_000_000)} M`
  return whole >= 1000 ? `${copScaled(shown / 1000)} mil` : copScaled(shown)
}

/** Formats numbers below 10 with at most one decimal, and all other numbers without decimals. */
function copScaled(value: number): string {
  return copPlain().format(
    Math.abs(value) < 10 ? Math.round(value * 10) / 10 : Math.sign(value) * Math.round(Math.abs(value)),
  )
}

const copPlain = lazily(() => new Intl.NumberFormat('es-CO', { useGrouping: 'always' }))

/** Returns the number to display. Replaces `NaN`, and values that would be shown as `-0.00`, with zero. */
function shownNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0
  return Math.abs(value) < 0.005 ? 0 : value
}
