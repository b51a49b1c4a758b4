/** Colombia has kept UTC-5 without daylight saving since 1993. */
export const bogotaOffsetMs = -5 * 60 * 60 * 1000

/** A moment in Bogotá, as a spreadsheet reads it: `2026-11-20 23:59:00`. */
export function isoDateTime(iso: string): string {
  return new Date(Date.parse(iso) + bogotaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}
