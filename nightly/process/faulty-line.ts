/**
 * A TCP proxy in front of the database. The proxy can cut, silence and slow down connections. The proxy listens on its
 * own port and closes at the end of the test.
 */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

export type FaultyLine = {
  /** Returns the URL with the proxy's address in place of the database server's address. */
  urlOf(url: string): string
  /** Resets all connections. Refuses new connections until `mend` is called. */
  cut(): void
  /** Forwards no more bytes in either direction, but leaves the connections open. */
  silence(): void
  /** Delays every chunk of data by this time. */
  slow(delayMs: number): void
  /** Resets the open connections once, even in the middle of a transfer. */
  resetOnce(): void
  mend(): void
  /**
   * Resets the open connections and forwards new connections to another server, as if the address had moved in a
   * failover.
   */
  leadTo(url: string): void
}

/** The present faults of a line. */
type Faults = { target: URL; isCut: boolean; isSilent: boolean; delayMs: number }

/** Starts a proxy in front of the database server at `url`. */
export async function openFaultyLine(url: string): Promise<FaultyLine> {
  const faults: Faults = { target: new URL(url), isCut: false, isSilent: false, delayMs: 0 }
  const { port, resetAll } = await openProxy(faults)
  return {
    urlOf: (other) => Object.assign(new URL(other), { host: `127.0.0.1:${port}` }).href,
    cut() {
      faults.isCut = true
      resetAll()
    },
    silence() {
      faults.isSilent = true
    },
    slow(ms) {
      faults.delayMs = ms
    },
    resetOnce: resetAll,
    mend() {
      // The connections lost bytes while the proxy was silent, and are therefore unusable.
      if (faults.isSilent) resetAll()
      Object.assign(faults, { isCut: false, isSilent: false, delayMs: 0 })
    },
    leadTo(other) {
      faults.target = new URL(other)
      resetAll()
    },
  }
}

/** Forwards bytes between each client and the target, as the present faults allow. */
async function openProxy(faults: Faults): Promise<{ port: number; resetAll: () => void }> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((near) => {
    if (faults.isCut) {
      near.resetAndDestroy()
      return
    }
    const far = connect(Number(faults.target.port), faults.target.hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    near.on('close', () => pairs.delete(pair))
    forward(near, far, faults)
    forward(far, near, faults)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const resetAll = () => {
    for (const socket of [...pairs].flat()) socket.resetAndDestroy()
  }
  onTestFinished(async () => {
    resetAll()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, resetAll }
}

function forward(from: Socket, to: Socket, faults: Faults): void {
  from.on('data', (bytes: Buffer) => {
    if (faults.isSilent) return
    if (faults.delayMs === 0) to.write(bytes)
    else setTimeout(() => to.write(bytes), faults.delayMs)
  })
  from.on('close', () => to.destroy())
  from.on('error', () => to.destroy())
}
