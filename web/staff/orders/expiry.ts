import { requestQueueCopy } from './copy.ts'

const { expires: copy } = requestQueueCopy
const hourMs = 3_600_000
/** From this number of hours on, the remaining time is given in days. */
const daysFromHours = 48

/** Returns how long a request still waits, rounded down, for example `vence en 5 horas`. */
export function expiryInWords(expiresAt: string, now: Date): string {
  const leftMs = Date.parse(expiresAt) - now.getTime()
  if (leftMs <= 0) return copy.past
  const hours = Math.floor(leftMs / hourMs)
  if (hours < 1) return copy.now
  return hours < daysFromHours ? copy.hours(hours) : copy.days(Math.floor(hours / 24))
}
