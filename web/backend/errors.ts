/** Logs an error that the specification shows to no user (docs/specification.md §8). */
export function logQuietly(error: unknown, what: string): void {
  // oxlint-disable-next-line no-console -- the console is where the specification wants it
  console.warn(`${what}:`, error)
}

/** The code of an error of the auth service, the table API or a function; empty where it has none. */
export function errorCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode && typeof error.code === 'string' ? error.code : ''
}

/** The message of such an error; empty where it has none. */
export function errorMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return hasMessage && typeof error.message === 'string' ? error.message : ''
}
