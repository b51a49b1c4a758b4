import { expect, test } from 'vitest'
import { workIn } from './main-thread.ts'

const thread = { pid: 1, tid: 2 }

test('the duration of an interaction excludes the time that its tasks waited for a processor', () => {
  const work = workIn([
    { ...thread, name: 'thread_name', ph: 'M', ts: 0, args: { name: 'CrRendererMain' } },
    { ...thread, name: 'interaction', ph: 'b', ts: 10_000 },
    { ...thread, name: 'interaction', ph: 'e', ts: 60_000 },
    { ...thread, name: 'RunTask', ph: 'X', ts: 15_000, dur: 20_000, tts: 1, tdur: 12_000 },
    // The second half of this task runs after the result was painted.
    { ...thread, name: 'RunTask', ph: 'X', ts: 55_000, dur: 10_000, tts: 2, tdur: 8000 },
    { ...thread, tid: 3, name: 'RunTask', ph: 'X', ts: 20_000, dur: 20_000, tts: 3, tdur: 1000 },
    { ...thread, name: 'RunTask', ph: 'X', ts: 90_000, dur: 30_000, tts: 4, tdur: 1000 },
  ])

  expect(work).toEqual({ longestTaskMs: 12, totalMs: 21, interactionsMs: [41] })
})
