/** Colombia has been on UTC-5 all year, without daylight saving, since 1993. */
export const bogotaOffsetMs = -5 * 60 * 60 * 1000

const words = new Intl.DateTimeFormat('es-CO', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'America/Bogota',
})

/** Formats a time for people to read: `20 nov 2026, 23:59 (hora de Bogotá)`. */
export function momentInWords(iso: string): string {
  return `${words.format(new Date(iso))} (hora de Bogotá)`
}

/** Formats a time in Bogotá's time zone for a spreadsheet: `2026-11-20 23:59:00`. */
export function isoDateTime(iso: string): string {
  return new Date(Date.parse(iso) + bogotaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}
