// A port of the loopback address for a server of a test or a measurement.
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to outgoing connections, above those of well-known services. */
const firstPort = 10_240
const portsCount = 22_528
/** Consecutive ports of one process; processes that run at the same time have numbers near each other. */
const portsPerProcess = 16

let given = 0

/**
 * A port that nobody listens on, and that no other test's process is given meanwhile: one of the system's choice could
 * be taken by somebody else before the server that it is for listens there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portOf(process.pid, given)
    given += 1
    if (await isFree(port)) return port
  }
}

/** The `count`-th port of a process; after its own sixteen it begins anew. */
export function portOf(processId: number, count: number): number {
  return firstPort + ((processId * portsPerProcess + (count % portsPerProcess)) % portsCount)
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    const listening = once(probe, 'listening')
    probe.listen(port, '127.0.0.1')
    await listening
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
