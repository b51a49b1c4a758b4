// Tests what a server does after its start: backups and the mail queue write to the log, the operator's rules are
// stored in the database, and due transfers are carried out. The database is a fake.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { BackupReport } from '#backup/backups.ts'
import { readConfig } from '#settings/config.ts'
import type { Database, RowsOf, SqlStatement } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { type DeliveryListener, MailQueue } from '#mail/mail-queue.ts'
import { type OpenBank, openBank } from '#bank/open-bank.ts'
import { type RunningServer, startServer } from './start.ts'
import { TokenKey } from '#tokens/access-token.ts'
import { deriveApiKeys } from '#tokens/api-keys.ts'

vi.mock('#bank/open-bank.ts', () => ({ openBank: vi.fn<typeof openBank>() }))
vi.mock('#people/first-administrator.ts', () => ({
  ensureFirstAdministrator: () => Promise.resolve(),
  noticeOfNoMailbox: () => Promise.resolve(null),
}))
vi.mock('#http/events.ts', { spy: true })
vi.mock('#mail/mail-queue.ts', { spy: true })

const minuteMs = 60_000
const makeBackup = vi.fn<() => Promise<BackupReport>>()
const ran: SqlStatement<unknown>[] = []
let deliveries: DeliveryListener | undefined
let deliveriesBegun = 0
let dataDir: string
let server: RunningServer

beforeAll(async () => {
  // Mocks the timers of the backups and of the due transfers. Nothing else in this file waits for a timer.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.spyOn(MailQueue.prototype, 'deliver').mockImplementation((listener) => {
    deliveries = listener
    deliveriesBegun += 1
  })
  dataDir = await mkdtemp(join(tmpdir(), 'finanzas-start-'))
  server = await start()
})
afterAll(async () => {
  vi.useRealTimers()
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts a server on a fake database, which adds the statements that it runs to `statements`. */
async function start(
  settings: Record<string, string> = {},
  statements: SqlStatement<unknown>[] = ran,
): Promise<RunningServer> {
  vi.mocked(openBank).mockResolvedValue(await fakeBank(statements))
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://banco@127.0.0.1:1/finanzas',
    LOG_LEVEL: 'silent',
    BACKUP_INTERVAL_MINUTES: '1',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@banco.example',
    STAFF_PROOF_ABOVE: '250000',
    STAFF_SELF_DEALING: 'refuse',
    STAFF_APPROVAL_ABOVE: '4000',
    FEATURES: 'transferencias',
    TRANSFER_AUTOMATIC_MAX: '0',
    TRANSFER_EXPIRES_HOURS: '24',
    ...settings,
  })
  // Port 0: the operating system chooses a free port.
  return startServer(
    { ...config, port: 0 },
    {
      onMailKept: () => undefined,
      onPasswordMade: () => undefined,
      onNotice: () => undefined,
    },
  )
}

async function fakeBank(run: SqlStatement<unknown>[]): Promise<OpenBank> {
  const database: Database = {
    engine: 'postgres',
    async transaction<const S extends readonly SqlStatement<unknown>[]>(_scope: unknown, statements: S) {
      run.push(...statements)
      // A job of the database is due again after a minute.
      return statements.map(({ text }) =>
        text.includes('private.run_job') ? [{ pause: 60 }] : [],
      ) as unknown as RowsOf<S>
    },
    running: () => 0,
    onWrite: () => undefined,
    close: () => Promise.resolve(),
  }
  const jwtSecret = 'a secret of more than thirty-two characters'
  const tokenKey = await TokenKey.of(jwtSecret, { siteUrl: 'https://banco.example' })
  const apiKeys = { ...(await deriveApiKeys(tokenKey)), accepted: null }
  return {
    secrets: { jwtSecret, previousSecret: null, tokenKey, apiKeys },
    database,
    openDataKey: () => Promise.resolve('the key of the data'),
    login: { onRefused: (tell: (report: object) => void) => tell({}) },
    backups: { make: makeBackup, close: () => Promise.resolve() },
    close: () => Promise.resolve(),
  } as unknown as OpenBank
}

test('a scheduled backup logs a line, and a failed backup logs an alarm', async () => {
  const report = { file: 'finanzas.backup' } as BackupReport
  const failure = new Error('The disk is full.')
  makeBackup.mockResolvedValueOnce(report).mockRejectedValueOnce(failure)

  await vi.advanceTimersByTimeAsync(minuteMs)
  await vi.waitFor(() =>
    expect(logEvent).toHaveBeenCalledWith(expect.anything(), 'backup made', { backup: report, removed: [] }),
  )
  await vi.advanceTimersByTimeAsync(minuteMs)
  await vi.waitFor(() =>
    expect(logEvent).toHaveBeenCalledWith(expect.anything(), 'ALARM: no backup was made', { err: failure }),
  )
})

test('a starting server writes the settings of the bank to the database', () => {
  const written = ran.filter(({ text }) => text.includes('private.set_settings'))

  expect(written.map(({ values }) => JSON.parse(String(values[0])) as unknown)).toMatchObject([
    { transferencias: 'on', notificaciones: 'off', staff_proof_above: 250_000, transfer_automatic_max: 0 },
  ])
})

test('a server carries out due transfers when it starts and then every minute', async () => {
  const runs = () =>
    ran.filter(({ text, values }) => text.includes('private.run_job') && values[0] === 'end requests').length
  const before = runs()

  await vi.advanceTimersByTimeAsync(minuteMs)

  expect(before).toBeGreaterThan(0)
  await vi.waitFor(() => expect(runs()).toBe(before + 1))
})

test('the mail queue logs a line for a delayed mail and an alarm for a mail on which it gives up', () => {
  const failure = { mail: 'of this id', attempts: 1, code: 'EENVELOPE', responseCode: 451 }

  deliveries?.onDelayed(failure)
  deliveries?.onGivenUp(failure, null)

  expect(logEvent).toHaveBeenCalledWith(expect.anything(), 'mail deferred', failure)
  expect(logEvent).toHaveBeenCalledWith(expect.anything(), 'ALARM: a mail could not be sent', failure)
})

test('the server of a copy sends no mails, makes no backups and does no work that is due', async () => {
  const statements: SqlStatement<unknown>[] = []
  const made = makeBackup.mock.calls.length
  const delivering = deliveriesBegun
  const workOf = (texts: readonly SqlStatement<unknown>[]) =>
    new Set(
      texts.flatMap(({ text, values }) =>
        /private\.(?:run|lease)_job/.test(text) && values[0] !== 'verify' ? [values[0]] : [],
      ),
    )
  const settings = { FEATURES: 'transferencias, notificaciones', BACKGROUND_WORK: 'off' }
  const copy = await start(settings, statements)
  try {
    await vi.advanceTimersByTimeAsync(minuteMs)

    // The first server of this file does the work of a bank.
    expect(workOf(ran).size).toBeGreaterThan(3)
    expect([...workOf(statements)]).toEqual([])
    expect(deliveriesBegun).toBe(delivering)
    expect(makeBackup.mock.calls.length).toBe(made + 1)
  } finally {
    await copy.close()
  }
})

test.each(['off', 'on'])(
  'with BACKGROUND_WORK=%s, the operator gets a mail about an alarm only from the server of the bank',
  async (background) => {
    const mailed = vi.spyOn(MailQueue.prototype, 'sendDirectly').mockReset().mockResolvedValue()
    const settings = { OPERATOR_EMAIL: 'avisos@operador.example', BACKGROUND_WORK: background }
    const started = await start(settings, [])
    // The fake database cannot tell the state of the bank. After a minute, the server mails the alarm directly.
    const moment = Date.now() + 2 * minuteMs
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => moment)
    try {
      await vi.advanceTimersByTimeAsync(minuteMs)

      expect(mailed.mock.calls.length > 0).toBe(background === 'on')
    } finally {
      clock.mockRestore()
      await started.close()
    }
  },
)

test.each([
  ['off', false],
  ['on', true],
])(
  'with BACKGROUND_WORK=%s and without a mail server, it is %s that mails leave at once',
  async (background, sendsAtOnce) => {
    const started = await start({ SMTP_URL: '', MAIL_FROM: '', BACKGROUND_WORK: background }, [])

    expect(vi.mocked(MailQueue).mock.lastCall?.[0]).toMatchObject({ sendsAtOnce })
    await started.close()
  },
)
