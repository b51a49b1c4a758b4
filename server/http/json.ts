/** Checks of JSON from clients. */

/** Checks whether the value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns true if arrays and objects are nested deeper than `levels` (security.md IN-03). `JSON.parse` reads any depth,
 * but `JSON.stringify` fails at a depth of a few thousand levels.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1))
}
