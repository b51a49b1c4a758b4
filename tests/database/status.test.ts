// Tests the state of the bank: the reports of its servers, the mails about alarms, and the right to read the state.
import { beforeEach, expect, test, vi } from 'vitest'
import { sql } from '#server/database/database.ts'
import { newestMigration } from '#server/database/migrate.ts'
import type { BankState } from '@finanzas/contract/operations/facts.ts'
import { Alarms } from '#server/operations/alarms.ts'
import { OperatorMailer } from '#server/operations/mail-operator.ts'
import { readBankState } from '#server/operations/read-bank-state.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { addPerson, run } from './people.ts'

const bank = useBank()
const first = '00000000-0000-4000-8000-000000000001'
const second = '00000000-0000-4000-8000-000000000002'

beforeEach(async () => {
  for (const table of ['servers', 'alarms', 'mailed_alarms'])
    await bank.owner.script(`delete from private.${table}`)
})

/** Stores the report of a server that started the given number of seconds ago. */
async function report(process: string, { name = `${process}:3000`, startedSecondsAgo = 0 } = {}) {
  const own = {
    process,
    name,
    version: '0.3.0',
    engine: 'postgres',
    started_at: new Date(Date.now() - startedSecondsAgo * 1000).toISOString(),
    disk_free_bytes: 1000,
    backup_interval_minutes: 60,
    last_backup_at: '2026-11-26T12:00:00Z',
  }
  await bank.asService(sql`select private.report_server(${JSON.stringify(own)}::jsonb)`)
}

/** Moves all times of the servers and the alarms into the past. */
async function passMinutes(minutes: number) {
  const interval = `interval '${minutes} minutes'`
  await bank.owner.script(`
    update private.servers set seen_at = seen_at - ${interval}, started_at = started_at - ${interval},
      serving_since = serving_since - ${interval}, ended_at = ended_at - ${interval};
    update private.alarms set begun_at = begun_at - ${interval}, open_until = open_until - ${interval};
    update private.mailed_alarms set mailed_at = mailed_at - ${interval}`)
}

/** Reports an alarm on behalf of a server, and returns the codes of the alarms that this report has opened. */
async function raise(process: string, code: string, { isOfBank = true, lastsSeconds = 150 } = {}) {
  const reports = [{ code, is_of_bank: isOfBank, begun_seconds_ago: 0, lasts_seconds: lastsSeconds }]
  const [[row]] = await bank.asService(
    sql<{ begun: string[] }>`
      select to_jsonb(private.report_alarms(${process}, ${JSON.stringify(reports)}::jsonb)) as begun`,
  )
  return row?.begun
}

/** Returns the mails that one run queues for the operator. `toldDirectly` are the alarms that a server mailed itself. */
async function tellOperator(toldDirectly: string[] = []) {
  await bank.asService(sql`
    select private.tell_alarms('op@banco.example', array(select jsonb_array_elements_text(${JSON.stringify(toldDirectly)}::jsonb)))`)
  return takeMails()
}

/** Removes the mails to the operator from the queue, and returns their alarms. */
async function takeMails() {
  const mails = await bank.owner.query(sql<{ code: string; is_open: boolean }>`
    with gone as (delete from auth.outgoing_mails m where m.notice ->> 'topic' = 'alarm' returning m.notice)
    select g.notice #>> '{facts,code}' as code, (g.notice #>> '{facts,is_open}')::boolean as is_open
    from gone g where g.notice ->> 'to' = 'op@banco.example' order by 1`)
  return mails.map(({ code, is_open: isOpen }) => `${code} ${isOpen ? 'begins' : 'ends'}`)
}

const state = () => readBankState(bank.database)
const names = ({ servers }: BankState) => servers.map(({ name, is_gone: isGone }) => `${name} ${isGone}`)

test('the state of the bank names the newest migration of its database', async () => {
  expect((await state()).migration).toBe(newestMigration())
})

test('a server that does not report for three minutes counts as gone, unless it has shut down regularly', async () => {
  await report(first, { startedSecondsAgo: 10 })
  await report(second)
  await bank.asService(sql`select private.end_server(${second})`)
  expect(names(await state())).toEqual([`${first}:3000 false`])

  await passMinutes(2.9)
  expect(names(await state())).toEqual([`${first}:3000 false`])
  await passMinutes(0.2)
  expect(names(await state())).toEqual([`${first}:3000 true`])
  expect((await state()).serving_since).toBeNull()
})

test('a server that is gone is shown for a day, and its report is kept for seven days', async () => {
  await report(first)
  await passMinutes(24 * 60 - 5)
  expect(names(await state())).toEqual([`${first}:3000 true`])
  await passMinutes(10)
  expect(names(await state())).toEqual([])

  const kept = sql`select from private.servers where process = ${first}`
  await passMinutes(6 * 24 * 60 - 10)
  await report(second)
  expect(await bank.owner.query(kept)).toHaveLength(1)
  await passMinutes(10)
  await report(second)
  expect(await bank.owner.query(kept)).toEqual([])
})

test('an alarm is shown for a day after its end, and kept for 30 days', async () => {
  await raise(first, 'disk-low', { lastsSeconds: -1 })
  await passMinutes(24 * 60 - 5)
  expect((await state()).alarms).toMatchObject([{ code: 'disk-low' }])
  await passMinutes(10)
  expect((await state()).alarms).toEqual([])

  const kept = sql`select from private.alarms where code = 'disk-low'`
  await passMinutes(29 * 24 * 60 - 10)
  await raise(first, 'mails-wait')
  expect(await bank.owner.query(kept)).toHaveLength(1)
  await passMinutes(10)
  await raise(first, 'clock-differs')
  expect(await bank.owner.query(kept)).toEqual([])
})

test('a restarted server replaces its crashed process even if the server’s clock is slow', async () => {
  await report(first, { name: 'vm:3000' })
  await report(second, { name: 'vm:3000', startedSecondsAgo: 25 })

  expect(names(await state())).toEqual(['vm:3000 false'])
})

test('a restarted server replaces its crashed process, and the bank counts as working since before the restart', async () => {
  await report(first, { name: 'vm:3000' })
  await passMinutes(2)
  await report(second, { name: 'vm:3000' })

  const { servers, serving_since: since, read_at: now, last_backup_at: backup } = await state()

  expect(servers).toHaveLength(1)
  expect(Date.parse(now) - Date.parse(since ?? '')).toBeGreaterThanOrEqual(120_000)
  expect(Date.parse(backup ?? '')).toBe(Date.parse('2026-11-26T12:00:00Z'))
})

test('after three minutes without a server, the bank counts as working only since the next start', async () => {
  await report(first)
  await passMinutes(4)
  await report(second)

  const { serving_since: since, read_at: now } = await state()

  expect(Date.parse(now) - Date.parse(since ?? '')).toBeLessThan(60_000)
})

test('a bank whose last server shut down less than three minutes ago counts as working all the time', async () => {
  await report(first)
  await passMinutes(2.5)
  await bank.asService(sql`select private.end_server(${first})`)
  await passMinutes(2.5)
  await report(second)

  const { serving_since: since, read_at: now } = await state()

  expect(Date.parse(now) - Date.parse(since ?? '')).toBeGreaterThanOrEqual(300_000)
})

test('the state shows the last 50 servers and 100 alarms', async () => {
  await bank.owner.script(`
    insert into private.servers (process, name, version, engine, started_at, known_since, serving_since, seen_at,
      disk_free_bytes, backup_interval_minutes)
    select gen_random_uuid(), 'vm:' || n, '0.3.0', 'postgres', now(), now(), now(), now() - n * interval '1 second', 1, 60
    from generate_series(1, 51) n;
    insert into private.alarms (code, begun_at, open_until)
    select 'disk-low', now(), now() - n * interval '1 second' from generate_series(1, 101) n`)

  const shown = await state()

  expect([shown.servers.length, shown.alarms.length]).toEqual([50, 100])
  expect(names(shown)).not.toContain('vm:51 false')
})

test('a server reports at most 100 alarms at a time', async () => {
  const reports = Array.from({ length: 101 }, (_, n) => ({
    code: `alarm-${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`,
    is_of_bank: true,
    begun_seconds_ago: 0,
    lasts_seconds: 150,
  }))

  await bank.asService(sql`select private.report_alarms(${first}, ${JSON.stringify(reports)}::jsonb)`)

  expect(await bank.owner.query(sql`select from private.alarms`)).toHaveLength(100)
})

test('two servers that report the same alarm of the bank share one alarm, which ends once neither server reports it', async () => {
  expect(await raise(first, 'mails-wait')).toEqual(['mails-wait'])
  expect(await raise(second, 'mails-wait')).toEqual([])
  // One server alone cannot end the alarm.
  expect(await raise(first, 'mails-wait', { lastsSeconds: -1 })).toEqual([])
  expect((await state()).alarms).toMatchObject([{ code: 'mails-wait', server: null, ended_at: null }])

  await passMinutes(3)

  const [over] = (await state()).alarms
  expect(over?.ended_at).not.toBeNull()
  expect(await raise(first, 'mails-wait')).toEqual([])
  expect((await state()).alarms).toHaveLength(1)
  await passMinutes(15)
  expect(await raise(first, 'mails-wait')).toEqual(['mails-wait'])
  expect((await state()).alarms).toHaveLength(2)
})

test('an alarm about one server belongs to that server, which can end the alarm at once', async () => {
  await report(first)
  await raise(first, 'clock-differs', { isOfBank: false })
  await raise(second, 'clock-differs', { isOfBank: false })
  await raise(second, 'clock-differs', { isOfBank: false, lastsSeconds: -1 })

  const { alarms } = await state()

  expect(alarms.map(({ server, ended_at: end }) => [server, end === null])).toEqual([
    [`${first}:3000`, true],
    [null, false],
  ])
})

test('only one of several servers mails the beginning of an alarm, and its end once no server reports the alarm', async () => {
  await raise(first, 'clock-differs', { isOfBank: false })
  await raise(second, 'clock-differs', { isOfBank: false })
  expect([await tellOperator(), await tellOperator()]).toEqual([['clock-differs begins'], []])

  await raise(first, 'clock-differs', { isOfBank: false, lastsSeconds: -1 })
  expect(await tellOperator()).toEqual([])

  await passMinutes(3)
  expect([await tellOperator(), await tellOperator()]).toEqual([['clock-differs ends'], []])
})

test('an alarm that repeatedly begins and ends is mailed at most once an hour', async () => {
  await raise(first, 'disk-low', { isOfBank: false })
  await tellOperator()
  await passMinutes(3)
  expect(await tellOperator()).toEqual(['disk-low ends'])
  await raise(first, 'disk-low', { isOfBank: false, lastsSeconds: 7200 })
  await passMinutes(56)
  expect(await tellOperator()).toEqual([])

  await passMinutes(2)

  expect(await tellOperator()).toEqual(['disk-low begins'])
})

test('an alarm that a server mailed during an outage is not mailed again, but its end is', async () => {
  await raise(first, 'database-away')
  expect(await tellOperator(['database-away'])).toEqual([])

  await passMinutes(3)

  expect(await tellOperator()).toEqual(['database-away ends'])
})

test('an alarm that a server could not mail during an outage is mailed at its beginning after the outage', async () => {
  let now = 0
  const queue = {
    deliverSoon: vi.fn<() => void>(),
    sendDirectly: () => Promise.reject(new Error('The mail server is away too.')),
  }
  const mailer = new OperatorMailer({ queue, to: 'op@banco.example' }, vi.fn(), () => now)
  const alarms = new Alarms(vi.fn(), () => now)
  alarms.begin('database-away')
  now = 60_000
  await mailer.mailDirectly(alarms)

  await raise(first, 'database-away')
  await mailer.tellStored(bank.database)

  expect(await takeMails()).toEqual(['database-away begins'])
})

test('two servers note the alarms that they mailed themselves in the same order', async () => {
  const codes = ['mails-wait', 'disk-low', 'login-refused']
  for (const code of codes) await raise(first, code)

  await tellOperator(codes)

  expect(await bank.owner.query(sql`select code from private.mailed_alarms order by ctid`)).toEqual([
    { code: 'disk-low' },
    { code: 'login-refused' },
    { code: 'mails-wait' },
  ])
})

const watchStandby = async (hasStandby: boolean) => {
  const [[row]] = await bank.asService(
    sql<{ seconds: number | null }>`select private.watch_standby(${hasStandby}) as seconds`,
  )
  return row?.seconds
}

test('the loss of a synchronous standby counts from its first report until a standby is seen again', async () => {
  await bank.owner.script('delete from private.synchronous_standby')
  expect(await watchStandby(false)).toBeNull()
  expect(await watchStandby(true)).toBeNull()
  expect(await watchStandby(false)).toBe(0)
  await bank.owner.script(`
    update private.synchronous_standby set gone_since = gone_since - interval '61 seconds'`)
  expect(await watchStandby(false)).toBeGreaterThan(60)

  expect(await watchStandby(true)).toBeNull()

  expect(await watchStandby(false)).toBe(0)
})

const reading = sql<{ state: BankState }>`select to_jsonb(public.read_bank_state()) as state`

test('an administrator reads the state of the bank without the names of its servers', async () => {
  await report(first)
  await raise(first, 'disk-low', { isOfBank: false })

  const [row] = await run(bank.administrator, reading)

  expect(row?.state).toMatchObject({
    servers: [{ name: null, version: '0.3.0' }],
    alarms: [{ code: 'disk-low', server: null }],
    mails_waiting: 0,
  })
  expect(JSON.stringify(row)).not.toContain(first)
})

test('a mail counts as waiting until the servers give up sending it', async () => {
  await bank.owner.script(`
    insert into auth.outgoing_mails (notice, next_try_at, created_at)
    values ('{}', now(), now() - interval '2 hours'), ('{}', null, now() - interval '1 day')`)

  const { mails_waiting: count, oldest_mail_at: oldest, read_at: now } = await state()

  expect(count).toBe(1)
  expect(Math.round((Date.parse(now) - Date.parse(oldest ?? '')) / 3_600_000)).toBe(2)
})

test('a bank with transfers needs a second administrator', async () => {
  await bank.asService(settings({ transferencias: 'on' }))
  expect((await state()).needs_administrator).toBe(true)
  await addPerson(bank.database, 'admin')

  expect((await state()).needs_administrator).toBe(false)
})
