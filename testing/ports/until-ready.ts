// When a server of a test or a measurement can be used.
import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

const waitMs = 120_000
const pollMs = 20
const answerWaitMs = 2000

/**
 * Waits until the server at an address answers `/ready` with 200. Throws after two minutes, and at once when the
 * program behind it has ended; with what that had printed, where somebody kept it.
 */
export async function untilReady(
  url: string,
  program?: { process: ChildProcess; output?: () => string },
): Promise<void> {
  const deadline = performance.now() + waitMs
  while (performance.now() < deadline) {
    const code = program?.process.exitCode ?? program?.process.signalCode ?? null
    if (code !== null) throw new Error(`The server ended with ${code}: ${program?.output?.() ?? ''}`)
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(answerWaitMs) }).catch(
      () => null,
    )
    if (answer?.ok === true) return
    await setTimeout(pollMs)
  }
  throw new Error(`The server was not ready after ${waitMs} ms: ${program?.output?.() ?? ''}`)
}
