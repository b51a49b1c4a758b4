/**
 * The thread that verifies, so that the page goes on while a hundred thousand hashes are taken. It is told what the bank
 * explained, asks for one page after the other, tells how far it is, and what it found.
 */
import type { JournalEntry } from '#ledger/read-journal.ts'
import type { BalanceExplanation } from './explanation.ts'
import { verifyBalance, type Verdict } from './verification.ts'

/** The explanation first; then a page each time that one is asked for, and `null` after the last. */
export type ToThread = { explanation: BalanceExplanation } | { page: readonly JournalEntry[] | null }

export type FromThread = 'next' | { entries: number } | { verdict: Verdict }

const tell = (message: FromThread) => postMessage(message)
let take: (page: readonly JournalEntry[] | null) => void = () => undefined

addEventListener('message', ({ data }: MessageEvent<ToThread>) => {
  // What fails here is an error of the thread, which its owner hears of.
  if ('explanation' in data) verify(data.explanation).catch(reportError)
  else take(data.page)
})

async function verify(explanation: BalanceExplanation): Promise<void> {
  tell({
    verdict: await verifyBalance({
      explanation,
      pages: askForPages(),
      onProgress: (entries) => tell({ entries }),
    }),
  })
}

async function* askForPages(): AsyncGenerator<readonly JournalEntry[]> {
  for (;;) {
    const page = await new Promise<readonly JournalEntry[] | null>((resolve) => {
      take = resolve
      tell('next')
    })
    if (page === null) return
    yield page
  }
}
