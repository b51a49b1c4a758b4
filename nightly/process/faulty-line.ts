/**
 * A TCP proxy to the database, which can cut, silence and slow down the connections. It has its own port and closes
 * when the test ends.
 */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

export type FaultyLine = {
  /** Returns the address of the database server through the proxy. */
  urlOf(url: string): string
  /** Resets every connection and refuses new ones until `mend`. */
  cut(): void
  /** Passes no bytes in either direction; connections stay open. */
  silence(): void
  /** Delays every piece of data by this time. */
  slow(delayMs: number): void
  /** Resets the open connections once, whatever they are sending. */
  resetOnce(): void
  mend(): void
  /** Resets the open connections and leads new ones to another server, as an address does after a failover. */
  leadTo(url: string): void
}

/** Opens a proxy to the server at `url`. */
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
      // The connections lost bytes during the silence, and cannot be used any more.
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
