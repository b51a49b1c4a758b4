/** The duration of a ban, in the format that operators' programs send. */

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 }
/** About 290 years, which is the longest duration that Go supports. */
const secondsMax = 9_000_000_000

/**
 * Converts GoTrue's `ban_duration` (Go, `time.ParseDuration`), for example `24h` or `1h30m`, to seconds. Returns 0 for
 * `none` and `null` for an invalid duration.
 */
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
