/** Seen red with a clock that goes on while the machine stands still, and with one that counts a tick as ten milliseconds. */
import { expect, onTestFinished, test } from 'vitest'
import { AwakeClock } from './awake-clock.ts'

/** A clock whose time and turns are in the test's hand. */
function open() {
  let now = 1000
  const clock = new AwakeClock(() => now)
  onTestFinished(() => clock.stop())
  const pass = (ms: number, turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      now += ms / turns
      clock.tick()
    }
  }
  return { clock, pass }
}

test('time in which the process has its turns counts whole', () => {
  const { clock, pass } = open()

  pass(3000, 100)

  expect(clock.ms).toBe(3000)
})

test('a machine that stands still for three seconds has hardly aged', () => {
  const { clock, pass } = open()
  pass(200, 20)
  pass(3000, 1)

  expect(clock.ms).toBe(250)
})

test('it can begin anew', () => {
  const { clock, pass } = open()
  pass(200, 20)

  clock.restart()
  pass(30, 3)

  expect(clock.ms).toBe(30)
})
