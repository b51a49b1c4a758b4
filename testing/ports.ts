import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The range is above the ports of well-known services and below the ports that operating systems assign to outgoing
 * connections.
 */
const firstPort = 10_240
const portsCount = 22_528
/**
 * Number of consecutive ports per process. Each process derives its ports from its process id. Processes that run at
 * the same time have nearby ids and therefore different ports.
 */
const portsPerProcess = 16

let given = 0

/**
 * Returns a free port that no other test process returns. The operating system does not choose the port, because
 * another process could then take it before the server listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + ((process.pid * portsPerProcess + (given % portsPerProcess)) % portsCount)
    given += 1
    if (await isFree(port)) return port
  }
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
