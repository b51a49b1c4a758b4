/** Runs the program of `npm run demo` and stops it at different times. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#testing/ports.ts'
import { emptyDirectory, runCommand } from './programs.ts'

type Demo = {
  process: ChildProcess
  output: () => string
  ended: Promise<number | null>
  files: () => string[]
}

async function startDemo(given: readonly string[] = []): Promise<Demo> {
  const temporary = await emptyDirectory()
  const child = spawn(process.execPath, ['server/demo/demo.ts', ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], TMPDIR: temporary, PORT: String(await freePort()), LOG_LEVEL: 'warn' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  onTestFinished(() => void child.kill('SIGTERM'))
  const files = () => readdirSync(temporary, { recursive: true }).map(String)
  return { process: child, output: () => output, ended, files }
}

/** Polling options, because creating and filling a bank can take a minute on a busy machine. */
const patience = { timeout: 240_000, interval: 5 }

test.for<[string, (demo: Demo) => boolean]>([
  ['while the database is created', ({ files }) => files().some((file) => file.includes('postgres.new-'))],
  ['while the bank is filled', ({ output }) => output().includes('Llenando el banco')],
])('the demo leaves no files behind if it is ended %s', async ([_when, isThen]) => {
  const demo = await startDemo()
  await expect.poll(() => isThen(demo), patience).toBe(true)

  demo.process.kill('SIGINT')

  expect(await demo.ended).toBe(0)
  expect(demo.files()).toEqual([])
})

test.for<[string[], number, string]>([
  [['--help'], 0, 'Uso: npm run demo [-- --keep DIRECTORIO]\n'],
  [
    ['--bogus'],
    2,
    'La única opción es --keep, con un directorio.\nUso: npm run demo [-- --keep DIRECTORIO]\n',
  ],
])('the demo prints its usage for %j and creates nothing', async ([given, code, output]) => {
  const demo = await startDemo(given)

  expect(await demo.ended).toBe(code)
  expect(demo.output()).toBe(output)
  expect(demo.files()).toEqual([])
})

test('the demo prints its address once customers can sign in, and keeps its bank in a chosen directory that must be empty', async () => {
  const kept = join(await emptyDirectory(), 'kept')
  const demo = await startDemo(['--keep', kept])
  await expect.poll(demo.output, patience).toContain('Contraseña de todos')
  const shown = (pattern: RegExp) => pattern.exec(demo.output())?.[1] ?? ''
  const url = shown(/\(demostración\) está en (\S+)/)
  const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string }

  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      email: shown(/Cliente: +(\S+)/),
      password: shown(/Contraseña de todos: (\S+)/),
    }),
  })

  expect(answer.status).toBe(200)
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const headers = { apikey: anonKey, authorization: `Bearer ${token}` }
  const transfers = await fetch(`${url}/rest/v1/requests?select=status&order=status`, { headers })
  expect(await transfers.json()).toEqual([{ status: 'done' }, { status: 'scheduled' }, { status: 'waiting' }])
  const month = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 7)
  const statement = await fetch(`${url}/rest/v1/rpc/statement?month=${month}-01`, { headers })
  const { entries } = (await statement.json()) as { entries: { date: string; recorded_at: string }[] }
  expect(entries.length).toBeGreaterThan(10)
  expect(entries.filter(({ date, recorded_at }) => date !== recorded_at)).toEqual([])
  expect(await runCommand('verify-ledger', [], { DATA_DIR: kept })).toMatchObject({ code: 0 })
  demo.process.kill('SIGTERM')
  expect(await demo.ended).toBe(0)
  expect(existsSync(kept)).toBe(true)
  const again = await startDemo(['--keep', kept])
  expect(await again.ended).toBe(1)
  expect(again.output()).toContain(`${kept} no está vacío.`)
  expect([...demo.files(), ...again.files()]).toEqual([])
})
