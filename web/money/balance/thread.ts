import { ownScript } from '#ui/own-script.ts'
import type { Verdict, Verification } from './verification.ts'
import type { FromThread, ToThread } from './worker.ts'
// oxlint-disable-next-line import/default -- Vite replaces this import with the URL of a separate script
import workerAddress from './worker.ts?worker&url'

/**
 * Runs `verifyBalance` in a worker that is created for this run only. Throws the errors of `pages`. If `signal` is
 * aborted, throws the abort reason.
 */
export async function verifyBalanceApart(
  { explanation, pages, onProgress }: Verification,
  signal: AbortSignal,
): Promise<Verdict> {
  const reading = pages[Symbol.asyncIterator]()
  const found = Promise.withResolvers<Verdict>()
  const thread = new Worker(ownScript(workerAddress), { type: 'module' })
  const send = (message: ToThread) => thread.postMessage(message)
  const sendNext = async () => {
    const { value, done } = await reading.next()
    send({ page: done === true ? null : value })
  }
  thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
    if (data === 'next') sendNext().catch(found.reject)
    else if ('entries' in data) onProgress(data.entries)
    else found.resolve(data.verdict)
  }
  thread.onerror = ({ message }) => found.reject(new Error(`The thread that verifies failed: ${message}`))
  const giveUp = () => found.reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    send({ explanation })
    return await found.promise
  } finally {
    signal.removeEventListener('abort', giveUp)
    thread.terminate()
  }
}
