/**
 * Failures of the embedded engine, which runs in the test's process. An endless statement is cancelled as in PostgreSQL
 * (57014, not retryable). Requests of other clients that already wait in the engine for the end of the statement get
 * 503 (retryable). Further requests of the client that sent the statement wait in the admission queue instead. No
 * acknowledged write is lost. The corresponding test for PostgreSQL is tests/wire/rest/slow-function.test.ts.
 */
import { cpSync, renameSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/settings/config.ts'
import { DatabaseUnavailable, sql } from '#server/database/database.ts'
import { engineDirectoryOf } from '#server/data-directory/data-directory.ts'
import { asCaller, asService } from '#server/database/scope.ts'
import { startServer } from '#server/start.ts'
import { type TestDatabase, openTestDatabase } from '#testing/database.ts'
import { freePort } from '#testing/ports.ts'

let bank: TestDatabase
beforeAll(async () => {
  bank = await openTestDatabase()
})
afterAll(() => bank.close())

const anonymous = asCaller({ role: 'anon' }, 'read')
const ping = () => bank.database.transaction(anonymous, [sql<{ one: number }>`select 1 as one`])

test('a request has only the privileges of its own scope, not those of the previous request', async () => {
  const who = sql`select current_user as role, auth.uid() as person, current_setting('is_superuser') as superuser`

  const [before] = await bank.database.transaction(asService('supabase_auth_admin', 'read'), [who])
  const [after] = await bank.database.transaction(anonymous, [who])

  expect(before).toEqual([{ role: 'supabase_auth_admin', person: null, superuser: 'off' }])
  expect(after).toEqual([{ role: 'anon', person: null, superuser: 'off' }])
})

test('a slow write times out, and several writes below the time limit succeed one after the other', async () => {
  const write = (seconds: number) =>
    bank.database.transaction(asCaller({ role: 'anon' }, 'write'), [sql`select pg_sleep(${seconds})`])
  // Requests that arrive while the engine's thread is busy run as one group. If the thread were idle, each request
  // would run in a group of its own.
  const atWork = write(3)
  await setTimeout(300)
  const [before, slow, behind] = [write(0.1), write(60), write(0.1)]
  await atWork

  await expect(slow).rejects.toMatchObject({ name: 'SqlError', sqlState: '57014' })
  await expect(before).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(behind).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(Promise.all([write(3), write(3)])).resolves.toHaveLength(2)
})

test('after a failed attempt to reopen the engine, the server reopens the engine as soon as possible', async () => {
  const directory = engineDirectoryOf(bank.directory ?? '')
  const sleeping = bank.database.transaction(anonymous, [sql`select pg_sleep(60)`])
  const aside = `${directory}.aside`
  cpSync(directory, aside, { recursive: true })
  rmSync(directory, { recursive: true })
  // The statement fails even if it has not begun yet, because the engine's thread checks the disk and finds no data
  // directory.
  await expect(sleeping).rejects.toThrowError()
  await expect(ping()).rejects.toBeInstanceOf(DatabaseUnavailable)

  rmSync(directory, { recursive: true, force: true })
  renameSync(aside, directory)

  await expect
    .poll(() => ping().catch(() => null), { timeout: 15_000, interval: 500 })
    .toEqual([[{ one: 1 }]])
})

test('no acknowledged write is lost during a function that never ends, and /health still answers', async () => {
  const { url, anonKey } = await serveNotes()
  const rest = (method: string, path: string, body?: object, client = '198.51.100.1') =>
    fetch(`${url}/rest/v1${path}`, {
      method,
      headers: { apikey: anonKey, 'content-type': 'application/json', 'x-forwarded-for': client },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const acknowledged: { id: number }[] = []
  const write = async () => {
    const row = { id: acknowledged.length + 1 }
    if ((await rest('POST', '/notes', row)).status === 201) acknowledged.push(row)
  }
  for (let count = 0; count < 20; count += 1) await write()

  const state = { isOver: false }
  const endless = rest('POST', '/rpc/never_ends', {}).finally(() => (state.isOver = true))
  const sameClient = rest('GET', '/notes')
  const otherClient = rest('GET', '/notes', undefined, '203.0.113.1')
  let answers = 0
  while (!state.isOver) {
    expect((await fetch(`${url}/health`)).status).toBe(200)
    answers += 1
  }

  const answer = await endless
  expect(answer.status).toBe(500)
  expect(await answer.json()).toMatchObject({
    code: '57014',
    message: 'canceling statement due to statement timeout',
  })
  const shed = await otherClient
  expect([shed.status, shed.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await shed.json()).toMatchObject({ code: 'PGRST000' })
  expect((await sameClient).status).toBe(200)
  // The function runs for five seconds. A blocked process would answer only one request during these five seconds.
  expect(answers).toBeGreaterThan(50)
  await expect.poll(async () => (await rest('GET', '/notes')).status).toBe(200)
  await write()
  expect(acknowledged).toHaveLength(21)
  expect(await (await rest('GET', '/notes?order=id')).json()).toEqual(acknowledged)
})

/**
 * Starts a server on a bank that has a table of notes and the endless function. The server stops at the end of the
 * test.
 */
async function serveNotes(): Promise<{ url: string; anonKey: string }> {
  const notes = await openTestDatabase()
  onTestFinished(() => notes.close())
  await notes.owner.script(`
    create table public.notes (id integer primary key);
    grant select, insert on public.notes to anon;
    create function public.never_ends() returns void language plpgsql as
      $$ begin perform pg_sleep(0); loop null; end loop; end $$;
    grant execute on function public.never_ends() to anon`)
  await notes.database.close()
  const [DATA_DIR, PORT] = [notes.directory ?? '', String(await freePort())]
  const config = readConfig({ DATA_DIR, PORT, LOG_LEVEL: 'silent', TRUST_PROXY: '127.0.0.1' })
  const server = await startServer(config, {
    onMailKept: () => undefined,
    onPasswordMade: () => undefined,
    onNotice: () => undefined,
  })
  onTestFinished(() => server.close())
  const secrets = await readFile(join(DATA_DIR, 'secrets.json'), 'utf8')
  return { url: server.url, anonKey: (JSON.parse(secrets) as { anonKey: string }).anonKey }
}
