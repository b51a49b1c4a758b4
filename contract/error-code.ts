/** Returns the `code` of an error of Node, a library, the auth service or the table API; empty without a code. */
export function errorCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode && typeof error.code === 'string' ? error.code : ''
}
