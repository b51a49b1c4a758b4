/** What the page's main thread itself worked, in processor time: other programs on the machine do not count. */
import type { Browser, Page } from '@playwright/test'

type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  tdur?: number
  args: { name?: string }
}

/** Milliseconds of processor time. */
export type Work = { longestTaskMs: number; totalMs: number }

/** Does something to the page and answers what its main thread worked for it. */
export async function measureWork(browser: Browser, page: Page, act: () => Promise<void>): Promise<Work> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasksMs = traceEvents
    .filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && mainThreads.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000)
  return { longestTaskMs: Math.max(0, ...tasksMs), totalMs: tasksMs.reduce((sum, ms) => sum + ms, 0) }
}
