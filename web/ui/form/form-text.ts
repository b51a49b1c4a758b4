/** The text of a field, without surrounding blanks; empty when the field is missing. */
export function textOf(fields: FormData, name: string): string {
  return rawTextOf(fields, name).trim()
}

/** The text of a field exactly as typed, as a password needs it. */
export function rawTextOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
