import { beforeEach, expect, test, vi } from 'vitest'
import { Alarms } from './alarms.ts'

let now: number
const log = vi.fn<(event: string, fields: object) => void>()
let alarms: Alarms

beforeEach(() => {
  now = Date.parse('2026-11-27T12:00:00Z')
  log.mockReset()
  alarms = new Alarms(log, () => now)
})

const passSeconds = (seconds: number) => (now += seconds * 1000)
const store = (begun: readonly string[] = []) => alarms.stored(alarms.reports(), begun)

test('a new alarm is logged once and is reported to the database', () => {
  const changed = vi.fn<() => void>()
  alarms.onChanged(changed)

  alarms.begin('clock-differs', { offsetSeconds: 31 })
  passSeconds(10)

  expect(log.mock.calls).toEqual([['ALARM: the clock differs from the database’s', { offsetSeconds: 31 }]])
  expect(changed).toHaveBeenCalledOnce()
  expect(alarms.reports()).toEqual([
    { code: 'clock-differs', is_of_bank: false, begun_seconds_ago: 10, lasts_seconds: 150 },
  ])
})

test('an alarm that ended before the database could store it is reported once, as an ended alarm', () => {
  alarms.begin('database-away')
  passSeconds(100)
  alarms.end('database-away')
  passSeconds(20)

  expect(alarms.reports()).toMatchObject([{ begun_seconds_ago: 120, lasts_seconds: -20 }])
  expect(alarms.unstored()).toEqual([])
  store()
  expect(alarms.reports()).toEqual([])
})

test('an alarm about an event ends an hour after the last event of this kind', () => {
  alarms.begin('mail-given-up')
  passSeconds(1800)
  alarms.begin('mail-given-up')
  passSeconds(3599)
  expect(alarms.openSince('mail-given-up')).toBe(now - 5_399_000)

  passSeconds(1)

  expect(alarms.openSince('mail-given-up')).toBeNull()
})

test('an address that refuses every mail opens the alarm once a day, and each refused mail is logged', () => {
  for (let hour = 0; hour < 24; hour += 1) {
    alarms.begin('mail-given-up', {}, 'nadie@correo.example')
    passSeconds(1800)
    expect(alarms.openSince('mail-given-up') !== null).toBe(hour === 0)
    passSeconds(1800)
  }
  expect(log).toHaveBeenCalledTimes(24)

  alarms.begin('mail-given-up', {}, 'nadie@correo.example')
  expect(alarms.openSince('mail-given-up')).toBe(now)
})

test('a refused mail to another address opens the alarm again', () => {
  alarms.begin('mail-given-up', {}, 'nadie@correo.example')
  passSeconds(3601)
  store()

  alarms.begin('mail-given-up', {}, 'otra@correo.example')

  expect(alarms.openSince('mail-given-up')).toBe(now)
})

test('only the server whose report opened an alarm of the bank logs this alarm', () => {
  alarms.observe('mails-wait', true)
  expect(log).not.toHaveBeenCalled()

  store([])
  expect(log).not.toHaveBeenCalled()

  alarms.observe('mails-wait', false)
  passSeconds(1)
  store([])
  alarms.observe('mails-wait', true)
  store(['mails-wait'])
  store(['mails-wait'])
  expect(log.mock.calls).toEqual([['ALARM: mails wait', {}]])
})
