/** Colombia has been on UTC-5 all year, without daylight saving, since 1993. */
export const bogotaOffsetMs = -5 * 60 * 60 * 1000

const timeZone = 'America/Bogota'
const day = new Intl.DateTimeFormat('es-CO', { timeZone, dateStyle: 'long' })
const time = new Intl.DateTimeFormat('es-CO', { timeZone, timeStyle: 'short' })

/**
 * Formats a time for people who may live in another time zone: `20 de noviembre de 2026, 11:59 p. m. (hora de Bogotá)`.
 */
export function momentInWords(moment: string | Date): string {
  const date = new Date(moment)
  // The library inserts non-breaking spaces.
  return `${day.format(date)}, ${time.format(date).replaceAll(/\s/g, ' ')} (hora de Bogotá)`
}

/** Formats a time in Bogotá's time zone for a spreadsheet: `2026-11-20 23:59:00`. */
export function isoDateTime(iso: string): string {
  return new Date(Date.parse(iso) + bogotaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}
