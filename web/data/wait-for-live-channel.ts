import { backend, type BackendClient } from '#api/client.ts'

let held: Promise<unknown> = Promise.resolve()

/**
 * Delays queries until the promise settles. The page does not have to repeat a query that starts when the channel
 * already listens.
 */
export function holdReadings(until: Promise<unknown>): void {
  held = until
}

/** Returns the client for queries whose results change with the channel's events. Waits until the channel listens. */
export async function readingClient(): Promise<BackendClient> {
  await held
  return backend()
}
