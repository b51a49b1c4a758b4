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

/** Starts a proxy in front of the database server at `url`. */
export async function openFaultyLine(url: string): Promise<FaultyLine> {
  let target = new URL(url)
  const pairs = new Set<readonly [Socket, Socket]>()
  let isCut = false
  let isSilent = false
  let delayMs = 0

  const pass = (from: Socket, to: Socket) => {
    from.on('data', (bytes: Buffer) => {
      if (isSilent) return
      if (delayMs === 0) to.write(bytes)
      else setTimeout(() => to.write(bytes), delayMs)
    })
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
  }
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = connect(Number(target.port), target.hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    near.on('close', () => pairs.delete(pair))
    pass(near, far)
    pass(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const resetAll = () => {
    for (const socket of [...pairs].flat()) socket.resetAndDestroy()
  }
  onTestFinished(async () => {
    resetAll()
    server.close()
    await once(server, 'close')
  })
  return {
    urlOf: (other) => Object.assign(new URL(other), { host: `127.0.0.1:${port}` }).href,
    cut() {
      isCut = true
      resetAll()
    },
    silence() {
      isSilent = true
    },
    slow(ms) {
      delayMs = ms
    },
    resetOnce: resetAll,
    mend() {
      // The connections lost bytes while the proxy was silent, and are therefore unusable.
      if (isSilent) resetAll()
      isCut = false
      isSilent = false
      delayMs = 0
    },
    leadTo(other) {
      target = new URL(other)
      resetAll()
    },
  }
}
