import { expect, test } from 'vitest'
import { withoutWaiting } from './waiting-time.ts'

const thread = { pid: 1, tid: 2 }
const main = { ...thread, name: 'thread_name', ph: 'M', ts: 0, args: { name: 'CrRendererMain' } }

test('a task shrinks to its processor time, and the events within the task shift', () => {
  const { traceEvents } = withoutWaiting({
    traceEvents: [
      main,
      { ...thread, name: 'RunTask', ph: 'X', ts: 1000, dur: 100, tts: 500, tdur: 40 },
      { ...thread, name: 'Layout', ph: 'X', ts: 1080, dur: 15, tts: 530, tdur: 5 },
      { ...thread, name: 'mark', ph: 'n', ts: 1050 },
      { ...thread, name: 'RunTask', ph: 'X', ts: 2000, dur: 10, tts: 600, tdur: 10 },
    ],
  })

  expect(traceEvents.slice(1).map(({ ts, dur }) => [ts, dur])).toEqual([
    [1000, 40],
    [1030, 5],
    [1020, undefined],
    [2000, 10],
  ])
})

test('the removal of waiting time does not change other threads or the events between tasks', () => {
  const trace = {
    traceEvents: [
      main,
      { ...thread, name: 'RunTask', ph: 'X', ts: 1000, dur: 100, tts: 500, tdur: 100 },
      { ...thread, name: 'mark', ph: 'n', ts: 1500 },
      { ...thread, tid: 3, name: 'RunTask', ph: 'X', ts: 1000, dur: 100, tts: 500, tdur: 40 },
    ],
  }

  expect(withoutWaiting(trace)).toEqual(trace)
})
