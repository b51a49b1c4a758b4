/** Targets of the bank test: a server with its database engine, and the functions that kill and restart the target. */
import type { TestServer } from '#testing/server.ts'
import { transferEnvironment } from './transfers.ts'
import { type BankServer, createBankServer } from '#nightly/fixtures/servers.ts'

/** The process that the test kills, together with the database engine of the bank. */
export type KilledTarget = 'the server, embedded' | 'the server, PostgreSQL' | 'PostgreSQL'

/**
 * Two servers and a primary database server behind a proxy. The test kills these three processes one after the other.
 */
export const severalMachines = 'one server, the other, and the primary'

export type BankTarget = KilledTarget | typeof severalMachines

/** The signal that stops the server. PostgreSQL itself always gets SIGKILL. */
export type EndSignal = 'SIGKILL' | 'SIGTERM'

/** Exit code of a server process, and the milliseconds from the signal to its exit. */
export type Ended = { code: number | null; ms: number }

export type BankPlace = Pick<BankServer, 'open' | 'close'> & {
  readonly target: BankTarget
  /** Longest time without an acknowledged write behind a proxy; by default, the longest recovery of one process. */
  readonly silenceMaxMs?: number
  readonly directory: string
  readonly server: Pick<TestServer, 'url' | 'anonKey' | 'serviceRoleKey' | 'start' | 'stop'>
  end(signal: EndSignal): Promise<Ended | null>
  /** Starts the killed process again. */
  revive(): Promise<void>
}

/** Sets up the bank. Starts PostgreSQL if the bank uses it, but does not start the server. */
export async function openBankPlace(target: KilledTarget): Promise<BankPlace> {
  const bank = await createBankServer(
    target === 'the server, embedded' ? 'embedded' : 'PostgreSQL',
    transferEnvironment,
  )
  const { server, cluster } = bank
  const killed = target === 'PostgreSQL' ? cluster : null
  return {
    ...bank,
    target,
    directory: server.dataDir,
    async end(signal) {
      if (killed === null) return server.stop(signal)
      await killed.kill()
      return null
    },
    revive: () => (killed === null ? server.start() : killed.restart()),
  }
}
