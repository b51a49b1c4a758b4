const shape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Whether the value is a UUID as this server writes them: in lower case, with hyphens (RFC 9562). */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && shape.test(value)
}
