/** The fields of a Chromium recording (the Trace Event Format) that this file reads. Times are microseconds. */
export type Trace = { traceEvents: TraceEvent[] }

export type TraceEvent = {
  name: string
  /** Phase of the event: `X` marks an event with a duration, `M` marks metadata about the recording. */
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
  /** Start and duration on the thread's own clock, which stops while the thread has no processor. */
  tts?: number
  tdur?: number
  args?: { name?: string }
}

export type Task = { ts: number; end: number; tts: number; tdur: number }

/**
 * Shortens the tasks on each page's main thread by the time that they waited for a processor. Without this correction,
 * Lighthouse would count the wait for a processor as work of the page and multiply it. The start time of a task stays
 * fixed, but the times of its events are moved.
 */
export function withoutWaiting({ traceEvents, ...rest }: Trace): Trace {
  const moved = new Map<TraceEvent, TraceEvent>()
  for (const sorted of mainThreads(traceEvents)) {
    const tasks = tasksOf(sorted)
    let next = 0
    for (const event of sorted) {
      while ((tasks[next]?.end ?? Number.POSITIVE_INFINITY) < event.ts) next += 1
      const task = tasks[next]
      if (task !== undefined && event.ts >= task.ts) moved.set(event, movedIn(task, event))
    }
  }
  return { ...rest, traceEvents: traceEvents.map((event) => moved.get(event) ?? event) }
}

/** Returns the recorded events of each page's main thread, sorted by start time. */
export function mainThreads(events: readonly TraceEvent[]): TraceEvent[][] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  )
  const ofMain = events.filter((event) => event.ph !== 'M' && mains.has(threadOf(event)))
  return [...Map.groupBy(ofMain, threadOf).values()].map((each) =>
    each.toSorted((one, other) => one.ts - other.ts),
  )
}

/** Returns the outermost tasks, sorted by start time. */
export function tasksOf(sorted: readonly TraceEvent[]): Task[] {
  const tasks: Task[] = []
  for (const { name, ph, ts, dur, tts, tdur } of sorted) {
    if (!name.endsWith('RunTask') || ph !== 'X') continue
    if (dur === undefined || tts === undefined || tdur === undefined) continue
    if (ts >= (tasks.at(-1)?.end ?? 0)) tasks.push({ ts, end: ts + dur, tts, tdur })
  }
  return tasks
}

function movedIn(task: Task, event: TraceEvent): TraceEvent {
  const { ts, tts, dur, tdur } = event
  const share = task.tdur / Math.max(1, task.end - task.ts)
  const since = tts === undefined ? (ts - task.ts) * share : Math.min(Math.max(0, tts - task.tts), task.tdur)
  return {
    ...event,
    ts: Math.round(task.ts + since),
    ...(dur !== undefined && { dur: tdur ?? Math.round(dur * share) }),
  }
}
