import { backend, type BackendClient } from '#backend/client.ts'

let held: Promise<unknown> = Promise.resolve()

/**
 * Delays queries until the promise settles. A query that starts after the channel has begun to listen need not be
 * repeated.
 */
export function holdReadings(until: Promise<unknown>): void {
  held = until
}

/** Returns the client to use for reading data whose changes the channel announces. */
export async function readingClient(): Promise<BackendClient> {
  await held
  return backend()
}
