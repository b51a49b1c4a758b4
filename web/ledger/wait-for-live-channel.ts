import { backend, type BackendClient } from '#backend/client.ts'

let held: Promise<unknown> = Promise.resolve()

/** Delays reads until the promise settles: reads that begin while the channel listens are not repeated. */
export function holdReadings(until: Promise<unknown>): void {
  held = until
}

/** The client, for a read of data whose changes the channel announces. */
export async function readingClient(): Promise<BackendClient> {
  await held
  return backend()
}
