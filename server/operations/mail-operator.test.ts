import { expect, test, vi } from 'vitest'
import type { QueuedNotice } from '#mail/notice-mail.ts'
import { Alarms } from './alarms.ts'
import { OperatorMailer } from './mail-operator.ts'

test('a server that cannot reach its database mails the operator after one minute and then once an hour', async () => {
  let now = Date.parse('2026-11-27T12:00:00Z')
  const passSeconds = (seconds: number) => (now += seconds * 1000)
  const sent: QueuedNotice[] = []
  const queue = {
    deliverSoon: () => expect.unreachable('The database is away.'),
    sendDirectly: (notice: QueuedNotice) => Promise.resolve(void sent.push(notice)),
  }
  const mailer = new OperatorMailer(
    { queue, to: 'op@banco.example' },
    (error) => expect.unreachable(String(error)),
    () => now,
  )
  const alarms = new Alarms(vi.fn(), () => now)
  alarms.begin('database-away')

  passSeconds(59)
  await mailer.mailDirectly(alarms)
  expect(sent).toEqual([])

  passSeconds(1)
  await mailer.mailDirectly(alarms)
  await mailer.mailDirectly(alarms)
  const at = '2026-11-27T12:00:00.000Z'
  const facts = { code: 'database-away', is_open: true, happened_at: at }
  expect(sent).toEqual([{ to: 'op@banco.example', topic: 'alarm', facts, at }])

  alarms.end('database-away')
  passSeconds(10)
  alarms.begin('database-away')
  passSeconds(60)
  await mailer.mailDirectly(alarms)
  expect(sent).toHaveLength(1)

  passSeconds(3600)
  await mailer.mailDirectly(alarms)
  expect(sent).toHaveLength(2)
})

test('the server logs that it could not send a direct mail', async () => {
  let now = 0
  const failure = new Error('The mail server is away too.')
  const failed = vi.fn<(error: unknown) => void>()
  const queue = { deliverSoon: vi.fn(), sendDirectly: () => Promise.reject(failure) }
  const mails = { queue, to: 'op@banco.example' }
  const alarms = new Alarms(vi.fn(), () => now)
  alarms.begin('login-refused')
  now = 60_000

  await new OperatorMailer(mails, failed, () => now).mailDirectly(alarms)

  expect(failed).toHaveBeenCalledWith(failure)
})

test('a direct mail that failed is sent again after a minute, and then once an hour', async () => {
  let now = 0
  let isAway = true
  const sent: number[] = []
  const queue = {
    deliverSoon: vi.fn<() => void>(),
    sendDirectly: () =>
      isAway ? Promise.reject(new Error('The mail server is away.')) : Promise.resolve(void sent.push(now)),
  }
  const mailer = new OperatorMailer({ queue, to: 'op@banco.example' }, vi.fn(), () => now)
  const alarms = new Alarms(vi.fn(), () => now)
  alarms.begin('database-away')
  const minutes = async (...times: number[]) => {
    for (const minute of times) {
      now = minute * 60_000
      await mailer.mailDirectly(alarms)
    }
  }

  await minutes(1)
  isAway = false
  await minutes(1.9, 2, 3, 61.9, 62)

  expect(sent).toEqual([120_000, 3_720_000])
})
