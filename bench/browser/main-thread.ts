/** Processor time of the page's main thread. Other programs on the machine do not count. */
import type { Browser, Page } from '@playwright/test'
import { interactionName } from './probe.ts'
import { type Task, type TraceEvent, mainThreads, tasksOf } from './waiting-time.ts'

/**
 * Processor time in milliseconds. `interactionsMs` are the times from each input to its result, without waits for a
 * processor.
 */
export type Work = { longestTaskMs: number; totalMs: number; interactionsMs: number[] }

/** Performs an action on the page and returns the work of the page's main thread. */
export async function measureWork(browser: Browser, page: Page, act: () => Promise<void>): Promise<Work> {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing', '__metadata'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  return workIn(traceEvents)
}

/** Reads the work from a recording. A task waited for a processor when it took longer than its processor time. */
export function workIn(events: readonly TraceEvent[]): Work {
  const tasks = mainThreads(events).flatMap(tasksOf)
  const tasksMs = tasks.map(({ tdur }) => tdur / 1000)
  const ends = events.filter(({ name, ph }) => name === interactionName && ph === 'e').map(({ ts }) => ts)
  const interactionsMs = events
    .filter(({ name, ph }) => name === interactionName && ph === 'b')
    .map(({ ts }, number) => {
      const end = ends[number] ?? Number.NaN
      const waits = tasks.map((task) => waitWithin(task, ts, end))
      return (end - ts - waits.reduce((sum, wait) => sum + wait, 0)) / 1000
    })
  return {
    longestTaskMs: Math.max(0, ...tasksMs),
    totalMs: tasksMs.reduce((sum, ms) => sum + ms, 0),
    interactionsMs,
  }
}

/** Returns how long a task waited for a processor between two moments. It assumes that the wait was spread evenly. */
function waitWithin(task: Task, from: number, to: number): number {
  const within = Math.min(to, task.end) - Math.max(from, task.ts)
  const all = task.end - task.ts
  return within <= 0 || all === 0 ? 0 : (all - task.tdur) * (within / all)
}
