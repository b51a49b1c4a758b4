/** How long a ban lasts, as GoTrue's `ban_duration` says it (Go, `time.ParseDuration`). */

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 }
/** Some 290 years: Go's longest duration, and more than any ban needs. */
const secondsMax = 9_000_000_000

/** Seconds, 0 for `none`; `null` for what is no duration: hours, minutes and seconds as in `24h` or `1h30m`. */
export function readBanDuration(text: string): number | null {
  if (text === 'none') return 0
  if (!/^(?:\d{1,10}(?:\.\d{1,3})?[hms])+$/.test(text)) return null
  const parts = [...text.matchAll(/([\d.]+)([hms])/g)]
  const seconds = parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0),
    0,
  )
  return seconds > 0 && seconds <= secondsMax ? seconds : null
}
