import { once } from 'node:events'
import { createServer } from 'node:net'

/** The range is below the ports that systems give to outgoing connections, and above those of well-known services. */
const firstPort = 10_240
const portsCount = 22_528
/**
 * Number of consecutive ports for one process. Processes that run at the same time have process ids near each other.
 */
const portsPerProcess = 16

let given = 0

/**
 * Returns a free port that no other test process returns. A port that the system chooses could be taken before the
 * server listens on it.
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
