import { expect, test, vi } from 'vitest'
import type { Mail } from '#mail/mail-page.ts'
import { Alarms } from './alarms.ts'
import { OperatorMailer } from './mail-operator.ts'

test('a server that cannot reach its database mails the operator after one minute and then once an hour', async () => {
  let now = Date.parse('2026-11-27T12:00:00Z')
  const passSeconds = (seconds: number) => (now += seconds * 1000)
  const sent: Mail[] = []
  const queue = {
    sendAlarm: () => Promise.reject(new Error('The database is away.')),
    sendDirectly: (mail: Mail) => Promise.resolve(void sent.push(mail)),
  }
  const mailer = new OperatorMailer(
    { queue, to: 'op@banco.example', brandName: 'Banco', siteUrl: 'https://banco.example' },
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
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
    ['op@banco.example', 'Alarma de Banco: La base de datos no responde'],
  ])
  expect(sent[0]?.text).toContain('27 de noviembre de 2026, 7:00 a. m.')
  expect(sent[0]?.text).toContain('Qué hacer: Mira si PostgreSQL está en marcha')
  expect(sent[0]?.text).toContain('https://banco.example/admin/estado')

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
  const queue = { sendAlarm: vi.fn(), sendDirectly: () => Promise.reject(failure) }
  const mails = { queue, to: 'op@banco.example', brandName: 'Banco', siteUrl: 'https://banco.example' }
  const alarms = new Alarms(vi.fn(), () => now)
  alarms.begin('login-refused')
  now = 60_000

  await new OperatorMailer(mails, failed, () => now).mailDirectly(alarms)

  expect(failed).toHaveBeenCalledWith(failure)
})
