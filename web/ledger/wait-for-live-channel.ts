import { backend, type BackendClient } from '#backend/client.ts'

let held: Promise<unknown> = Promise.resolve()

/** Keeps readings of the ledger waiting until then: what begins while the channel listens need not be read again. */
export function holdReadings(until: Promise<unknown>): void {
  held = until
}

/** The client, for a reading of what the channel announces. */
export async function readingClient(): Promise<BackendClient> {
  await held
  return backend()
}
