// Tests that servers write their state and their alarms to a real database, and that the operator gets only one mail
// about each change.
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { sql } from '#server/database/database.ts'
import { noteBackup } from '#server/backup/last-backup.ts'
import type { Mail } from '#server/mail/mail-page.ts'
import { MailQueue } from '#server/mail/mail-queue.ts'
import { noticeMail } from '#server/mail/notice-mail.ts'
import { Alarms } from '#server/operations/alarms.ts'
import { readBankState, withFreeSpace } from '#server/operations/read-bank-state.ts'
import { reportStatus } from '#server/operations/report.ts'
import { deriveKeys } from '#server/tokens/keys.ts'
import { databaseOfFile, mailerInto } from '#testing/surfaces.ts'

const { database, owner } = await databaseOfFile()
const dataDir = mkdtempSync(join(tmpdir(), 'finanzas-status-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

const keys = deriveKeys('the secret of this test, which is long enough')
const site = {
  siteUrl: 'https://banco.example',
  brandName: 'Banco',
  supportContact: '',
  keys,
  asCalledHere: String,
  displayCurrency: 'USD' as const,
}
const mails: Mail[] = []
const subjects = () => mails.map(({ subject }) => subject)

/** Starts a server that reports its state and its alarms to the database. */
function serve(
  port: number,
  {
    isLedgerBroken = false,
    backupIntervalMinutes = 0,
    certificateExpiresAt = null,
  }: {
    isLedgerBroken?: boolean
    backupIntervalMinutes?: number | null
    certificateExpiresAt?: Date | null
  } = {},
) {
  const log = vi.fn<(event: string) => void>()
  const alarms = new Alarms(log)
  const onServing = vi.fn<(since: string | null) => void>()
  const queue = new MailQueue({
    database,
    seal: keys.mails,
    transport: mailerInto(mails),
    mailOf: (notice) => noticeMail(site, notice),
  })
  queue.deliver({
    onDelayed: () => expect.unreachable(),
    onGivenUp: () => expect.unreachable(),
    onFailure: (error) => expect.unreachable(String(error)),
  })
  const end = reportStatus({
    database,
    alarms,
    version: '0.3.0',
    port,
    dataDir,
    backupIntervalMinutes,
    clockDiffers: () => false,
    isLedgerBroken: () => isLedgerBroken,
    certificateExpiresAt,
    onServing,
    mails: { queue, to: 'op@banco.example' },
    onFailure: (error) => expect.unreachable(String(error)),
  })
  ends.push(async () => {
    await end()
    await queue.close()
  })
  return { alarms, log, end, onServing }
}

const open = async () =>
  (await readBankState(database)).alarms.filter(({ ended_at: end }) => end === null).map(({ code }) => code)

test('two servers with the same alarm send only one mail when the alarm begins and one when it ends', async () => {
  await owner.script('delete from private.alarms; delete from private.mailed_alarms')
  const servers = [serve(3001), serve(3002)]
  await expect.poll(() => servers.every(({ onServing }) => onServing.mock.calls.length > 0)).toBe(true)

  for (const { alarms } of servers) alarms.begin('backup-failed')
  await expect.poll(open).toEqual(['backup-failed', 'backup-failed'])
  await expect.poll(subjects).toEqual(['Alarma de Banco: No se pudo hacer la copia de seguridad'])
  for (const { alarms } of servers) alarms.end('backup-failed')

  await expect.poll(open).toEqual([])
  await expect
    .poll(() => subjects().slice(1))
    .toEqual(['Terminó la alarma de Banco: No se pudo hacer la copia de seguridad'])
  for (const { log } of servers) expect(log).toHaveBeenCalledOnce()
})

test('a broken ledger is an alarm that only the first of two servers logs', async () => {
  await owner.script('delete from private.alarms')
  const servers = [serve(3001, { isLedgerBroken: true }), serve(3002, { isLedgerBroken: true })]
  await expect.poll(() => servers.every(({ onServing }) => onServing.mock.calls.length > 0)).toBe(true)

  await expect.poll(open).toEqual(['ledger-broken'])
  expect(servers.flatMap(({ log }) => log.mock.calls.map(([event]) => event))).toEqual([
    'ALARM: the ledger does not verify',
  ])
})

test('a report contains the time of the last backup, and a stopped server does not count as gone', async () => {
  await owner.script('delete from private.servers')
  noteBackup(dataDir, '2026-11-27T11:26:00.000Z')

  const { end, onServing } = serve(3003)
  await expect.poll(() => onServing.mock.lastCall).toEqual([expect.stringMatching(/^\d{4}-/)])
  const { servers } = await readBankState(database)
  await end()

  expect(servers).toMatchObject([{ engine: 'pglite', is_gone: false, backup_interval_minutes: 0 }])
  expect(Date.parse(servers[0]?.last_backup_at ?? '')).toBe(Date.parse('2026-11-27T11:26:00Z'))
  const [row] = await owner.query(
    sql<{ ended: boolean }>`select ended_at is not null as ended from private.servers`,
  )
  expect(row?.ended).toBe(true)
})

test.each([
  ['made no backup', null],
  ['has an old backup', '2026-11-01T12:00:00.000Z'],
])('a server that %s raises an alarm even if it restarts every few minutes', async (_name, lastBackupAt) => {
  await owner.script('delete from private.alarms; delete from private.servers')
  if (lastBackupAt !== null) noteBackup(dataDir, lastBackupAt)
  else rmSync(join(dataDir, 'last-backup.txt'), { force: true })
  await owner.query(sql`
    insert into private.servers (
      process, name, version, engine, started_at, known_since, serving_since, seen_at, backup_interval_minutes
    ) values (
      gen_random_uuid(), ${`${hostname()}:3004`}, '0.3.0', 'pglite', now() - interval '9 minutes',
      now() - interval '1 day', now() - interval '1 day', now() - interval '1 minute', 60
    )`)

  serve(3004, { backupIntervalMinutes: 60 })

  await expect.poll(open).toContain('backup-old')
})

test('a new server raises no alarm about backups before its first backup is due', async () => {
  await owner.script('delete from private.alarms; delete from private.servers')
  rmSync(join(dataDir, 'last-backup.txt'), { force: true })
  await owner.query(sql`
    insert into private.servers (
      process, name, version, engine, started_at, known_since, serving_since, seen_at, backup_interval_minutes
    ) values (
      gen_random_uuid(), 'other:3000', '0.3.0', 'pglite', now() - interval '1 day',
      now() - interval '1 day', now() - interval '1 day', now(), 60
    )`)

  const { onServing } = serve(3005, { backupIntervalMinutes: 60 })

  await expect.poll(() => onServing.mock.calls.length).toBeGreaterThan(0)
  expect(await open()).not.toContain('backup-old')
})

test.each([
  ['no server sets an interval', null, ['backup-old']],
  ['another server has the interval 0', 0, []],
])(
  'a bank on PostgreSQL without a backup for a day raises an alarm if %s: %j',
  async (_name, otherInterval, codes) => {
    await owner.script('delete from private.alarms; delete from private.servers')
    rmSync(join(dataDir, 'last-backup.txt'), { force: true })
    const server = (name: string, minutes: number | null) => sql`
      insert into private.servers (
        process, name, version, engine, started_at, known_since, serving_since, seen_at, backup_interval_minutes
      ) values (
        gen_random_uuid(), ${name}, '0.3.0', 'postgres', now() - interval '9 minutes',
        now() - interval '25 hours', now() - interval '1 day', now() - interval '1 minute', ${minutes}::integer
      )`
    await owner.query(server(`${hostname()}:3006`, null))
    await owner.query(server('other:3000', otherInterval))

    const { onServing } = serve(3006, { backupIntervalMinutes: null })

    await expect.poll(() => onServing.mock.calls.length).toBeGreaterThan(0)
    await expect.poll(open).toEqual(codes)
  },
)

/** Moves the loss of the synchronous standby into the past. */
const gone = (seconds: number) =>
  owner.query(sql`
    update private.synchronous_standby set gone_since = now() - make_interval(secs => ${seconds})`)

test('a bank whose synchronous standby has been gone for a minute raises an alarm', async () => {
  await owner.script(`
    delete from private.alarms; delete from private.synchronous_standby;
    insert into private.synchronous_standby (gone_since) values (null)`)
  const { onServing: first } = serve(3007)
  await expect.poll(() => first.mock.calls.length).toBeGreaterThan(0)
  expect(await open()).not.toContain('replica-gone')
  await gone(60)

  serve(3008)

  await expect.poll(open).toContain('replica-gone')
})

test('a bank with transfers and a single administrator raises an alarm', async () => {
  await owner.script(`delete from private.alarms; select private.set_settings('{"transferencias": "on"}')`)

  serve(3010)

  await expect.poll(open).toContain('one-administrator')
})

test('a bank with transfers and two administrators raises no alarm about them', async () => {
  await owner.script(`
    delete from private.alarms;
    insert into auth.users (id, email, raw_app_meta_data, raw_user_meta_data)
    select gen_random_uuid(), 'admin' || i || '@banco.example', '{"role": "admin"}', '{}' from generate_series(1, 2) i`)
  // The mails about the new administrators are not part of this test.
  await owner.script('delete from auth.outgoing_mails')

  const { onServing } = serve(3011)

  await expect.poll(() => onServing.mock.calls.length).toBeGreaterThan(0)
  expect(await open()).not.toContain('one-administrator')
  await owner.script(`select private.set_settings('{"transferencias": "off"}')`)
})

test.for([
  [29, true],
  [31, false],
] as const)(
  'a certificate for papers that expires in %d days raises an alarm: %s',
  async ([days, isRaised]) => {
    await owner.script('delete from private.alarms')

    const { onServing } = serve(3012 + days, {
      certificateExpiresAt: new Date(Date.now() + days * 86_400_000),
    })

    await expect.poll(() => onServing.mock.calls.length).toBeGreaterThan(0)
    if (isRaised) await expect.poll(open).toContain('certificate-expires')
    else expect(await open()).not.toContain('certificate-expires')
  },
)

test('a bank that never had a synchronous standby raises no alarm about it', async () => {
  await owner.script('delete from private.alarms; delete from private.synchronous_standby')

  const { onServing } = serve(3009)

  await expect.poll(() => onServing.mock.calls.length).toBeGreaterThan(0)
  expect(await open()).not.toContain('replica-gone')
})

test('npm run status measures the free space of a running server again, because a full disk takes no report', async () => {
  await owner.script('delete from private.servers')
  const server = (name: string, seenAgo: string) => sql`
    insert into private.servers (
      process, name, version, engine, started_at, known_since, serving_since, seen_at, disk_free_bytes
    ) values (
      gen_random_uuid(), ${name}, '0.3.0', 'pglite', now(), now(), now(), now() - ${seenAgo}::interval, 1
    )`
  await owner.query(server('one:3000', '1 minute'))
  await owner.query(server('gone:3000', '1 hour'))

  const { servers } = withFreeSpace(await readBankState(database), dataDir)

  const free = new Map(servers.map(({ name, disk_free_bytes: bytes }) => [name, bytes]))
  expect(free.get('one:3000')).toBeGreaterThan(1)
  expect(free.get('gone:3000')).toBe(1)
})
