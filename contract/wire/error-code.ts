/**
 * Returns the `code` of an error from Node, a library, the auth service or the table API, or an empty text if the error
 * has no code.
 */
export function errorCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode && typeof error.code === 'string' ? error.code : ''
}
