/**
 * Worker that verifies a balance, so that the page stays responsive while a hundred thousand hashes are computed. The
 * worker receives the explanation and requests one page of entries after another. It reports its progress and finally
 * the verdict.
 */
import type { JournalEntry } from '#data/read-journal.ts'
import type { BalanceExplanation } from './explanation.ts'
import { verifyBalance, type Verdict } from './verification.ts'

/**
 * A message from the page to the worker. The first message contains the explanation. Each later message answers a
 * request of the worker with a page of entries, or with `null` after the last page.
 */
export type ToThread = { explanation: BalanceExplanation } | { page: readonly JournalEntry[] | null }

export type FromThread = 'next' | { entries: number } | { verdict: Verdict }

const send = (message: FromThread) => postMessage(message)
let take: (page: readonly JournalEntry[] | null) => void = () => undefined

addEventListener('message', ({ data }: MessageEvent<ToThread>) => {
  // An error here triggers the worker's `error` event.
  if ('explanation' in data) verify(data.explanation).catch(reportError)
  else take(data.page)
})

async function verify(explanation: BalanceExplanation): Promise<void> {
  send({
    verdict: await verifyBalance({
      explanation,
      pages: askForPages(),
      onProgress: (entries) => send({ entries }),
    }),
  })
}

async function* askForPages(): AsyncGenerator<readonly JournalEntry[]> {
  for (;;) {
    const page = await new Promise<readonly JournalEntry[] | null>((resolve) => {
      take = resolve
      send('next')
    })
    if (page === null) return
    yield page
  }
}
