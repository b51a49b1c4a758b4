/** Target of the bank test: a server, its engine, and how to kill and revive one of them. */
import type { TestServer } from '#testing/server.ts'
import { type BankServer, createBankServer } from '#nightly/fixtures/servers.ts'

/** The process to kill, and the engine. */
export type KilledTarget = 'the server, embedded' | 'the server, PostgreSQL' | 'PostgreSQL'

/** The processes behind a proxy, one after the other. */
export const severalMachines = 'one server, the other, and the primary'

export type BankTarget = KilledTarget | typeof severalMachines

/** The signal that ends the server; PostgreSQL itself is always killed. */
export type EndSignal = 'SIGKILL' | 'SIGTERM'

/** The end of a server's process. */
export type Ended = { code: number | null; ms: number }

export type BankPlace = Pick<BankServer, 'open' | 'close'> & {
  readonly target: BankTarget
  readonly directory: string
  readonly server: Pick<TestServer, 'url' | 'anonKey' | 'start' | 'stop'>
  end(signal: EndSignal): Promise<Ended | null>
  /** Has it run again. */
  revive(): Promise<void>
}

/** Makes the place; nothing of it runs yet but a PostgreSQL. */
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
