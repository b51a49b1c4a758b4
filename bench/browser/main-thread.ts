/**
 * Measures the processor time that the page's main thread used. Other programs on the machine do not affect this
 * figure.
 */
import type { Browser, Page } from '@playwright/test'
import { interactionName } from './probe.ts'
import { type Task, type TraceEvent, mainThreads, tasksOf } from './waiting-time.ts'

/**
 * Processor time in milliseconds. `interactionsMs` has one entry per input: the time until its result was painted,
 * minus the time spent waiting for a processor.
 */
export type Work = { longestTaskMs: number; totalMs: number; interactionsMs: number[] }

/** Performs an action on the page and returns how much work the page's main thread did meanwhile. */
export async function measureWork(browser: Browser, page: Page, act: () => Promise<void>): Promise<Work> {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing', '__metadata'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  return workIn(traceEvents)
}

/**
 * Computes the work from a trace recording. A task that lasted longer than its processor time was waiting for a
 * processor.
 */
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

/**
 * Returns how long a task waited for a processor within an interval, assuming that its waiting was spread evenly over
 * the task.
 */
function waitWithin(task: Task, from: number, to: number): number {
  const within = Math.min(to, task.end) - Math.max(from, task.ts)
  const all = task.end - task.ts
  return within <= 0 || all === 0 ? 0 : (all - task.tdur) * (within / all)
}
