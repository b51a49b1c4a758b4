import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to outgoing connections, above those of well-known services. */
const firstPort = 10_240
const portsCount = 22_528
/** Consecutive ports of one process; processes that run at the same time have numbers near each other. */
const portsPerProcess = 16

let given = 0

/** A free port that no other test process is given: one of the system's choice could be taken before its server listens. */
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
