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

/** US dollars as en-US writes them, always with two decimals; anything but a finite number reads as zero (docs/specification.md §1). */
export function formatUsd(value: unknown): string {
  return usd().format(shownNumber(value))
}

/** Colombian pesos as es-CO writes them, with two decimals; anything but a finite number reads as zero. */
export function formatCop(value: unknown): string {
  return cop().format(shownNumber(value))
}

/** About how many dollars: `$15.0K`. */
export function formatUsdCompact(value: number): string {
  return usdCompact(shownNumber(value))
}

/** About how many pesos: `$ 54,3 M`. */
export function formatCopCompact(value: number): string {
  return copCompact(shownNumber(value))
}

/** With one decimal from a thousand on, so that amounts beside one another are written alike. */
function compactIn(locale: string, currency: string): (value: number) => string {
  const small = lazily(() => new Intl.NumberFormat(locale, { ...compact, currency }))
  const large = lazily(
    () => new Intl.NumberFormat(locale, { ...compact, currency, minimumFractionDigits: 1 }),
  )
  return (value) => (Math.abs(value) < 1000 ? small() : large()).format(value)
}

/** The value that two decimals show: no `-0.00`, no `NaN`. */
function shownNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0
  return Math.abs(value) < 0.005 ? 0 : value
}
