const shape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Returns whether the value is a lower-case UUID with hyphens (RFC 9562), the form that the database returns. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && shape.test(value)
}

/** Returns the UUID in lower case, or `null` if the value is not a UUID. */
export function readUuid(value: unknown): string | null {
  const lower = typeof value === 'string' ? value.toLowerCase() : null
  return isUuid(lower) ? lower : null
}
