/**
 * On the embedded engine, a function that never ends is ended as PostgreSQL would (57014, not retryable), requests
 * that the engine holds behind it get 503 (retryable), those of the same client wait in the admission queue, the process
 * answers all the while, and nothing that was acknowledged is lost. On PostgreSQL: tests/wire/rest/slow-function.test.ts.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { startServer } from '#server/start.ts'

const notes = `
  create table public.notes (id integer primary key);
  grant select, insert on public.notes to anon;
  create function public.never_ends() returns void language plpgsql as
    $$ begin perform pg_sleep(0); loop null; end loop; end $$;
  grant execute on function public.never_ends() to anon`

test('a function that never ends costs nobody an acknowledged write, and /health answers meanwhile', async () => {
  const url = await startBank()
  const { anonKey } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { anonKey: string }
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
  // Five seconds of them: a process that stands still while the function runs would answer one.
  expect(answers).toBeGreaterThan(50)
  await expect.poll(async () => (await rest('GET', '/notes')).status).toBe(200)
  await write()
  expect(acknowledged).toHaveLength(21)
  expect(await (await rest('GET', '/notes?order=id')).json()).toEqual(acknowledged)
}, 120_000)

let dataDir = ''

/** Starts a server on a directory with the notes; answers its address. The test's end ends it. */
async function startBank(): Promise<string> {
  dataDir = await mkdtemp(join(tmpdir(), 'finanzas-slow-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const { database, owner } = await openPglite(await initialisedEngineDirectory(dataDir))
  await migrate(owner)
  await owner.script(notes)
  await database.close()
  const port = await freePort()
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'silent',
    TRUST_PROXY: '127.0.0.1',
  })
  const server = await startServer(config, {
    onMailKept: () => undefined,
    onPasswordMade: () => undefined,
    onNotice: () => undefined,
  })
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${port}`
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
