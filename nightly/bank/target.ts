/** Targets of the bank test: a server with its engine, and the ways to kill and to restart it. */
import type { TestServer } from '#testing/server.ts'
import { type BankServer, createBankServer } from '#nightly/fixtures/servers.ts'

/** The process that the test kills, and the server's engine. */
export type KilledTarget = 'the server, embedded' | 'the server, PostgreSQL' | 'PostgreSQL'

/** Several processes behind a proxy, which the test kills one after the other. */
export const severalMachines = 'one server, the other, and the primary'

export type BankTarget = KilledTarget | typeof severalMachines

/** The signal that ends the server. PostgreSQL itself always gets SIGKILL. */
export type EndSignal = 'SIGKILL' | 'SIGTERM'

/** Exit code of a server's process, and the milliseconds that its end took. */
export type Ended = { code: number | null; ms: number }

export type BankPlace = Pick<BankServer, 'open' | 'close'> & {
  readonly target: BankTarget
  readonly directory: string
  readonly server: Pick<TestServer, 'url' | 'anonKey' | 'start' | 'stop'>
  end(signal: EndSignal): Promise<Ended | null>
  /** Starts the killed process again. */
  revive(): Promise<void>
}

/** Sets the bank up. Starts PostgreSQL if the bank uses it, but not the server. */
export async function openBankPlace(target: KilledTarget): Promise<BankPlace> {
  const bank = await createBankServer(target === 'the server, embedded' ? 'embedded' : 'PostgreSQL')
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
