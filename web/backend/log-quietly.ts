/** Errors that the specification wants logged only (spec §8): the silence towards the user is visible here. */
export function logQuietly(error: unknown, what: string): void {
  // oxlint-disable-next-line no-console -- the console is where the specification wants it
  console.warn(`${what}:`, error)
}
