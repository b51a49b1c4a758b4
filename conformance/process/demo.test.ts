/** `npm run demo` as a person runs it, and ends it whenever they like. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tools/ports/free-port.ts'
import { emptyDirectory } from './server-program.ts'

type Demo = { process: ChildProcess; output: () => string; ended: Promise<number | null>; temporary: string }

async function startDemo(given: readonly string[] = []): Promise<Demo> {
  const temporary = await emptyDirectory()
  const child = spawn(process.execPath, ['server/demo.ts', ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], TMPDIR: temporary, PORT: String(await freePort()), LOG_LEVEL: 'warn' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  onTestFinished(() => void child.kill('SIGTERM'))
  return { process: child, output: () => output, ended, temporary }
}

const filesOf = ({ temporary }: Demo) => readdirSync(temporary, { recursive: true }).map(String)

test.each([
  [
    'while the database is made',
    (demo: Demo) => filesOf(demo).some((file) => file.includes('postgres.new-')),
  ],
  ['while the bank is filled', (demo: Demo) => demo.output().includes('Llenando el banco')],
  ['while it serves', (demo: Demo) => demo.output().includes('Contraseña de todos')],
])('the demo that is ended %s leaves nothing behind', async (_when, isThen) => {
  const demo = await startDemo()
  await expect.poll(() => isThen(demo), { timeout: 90_000, interval: 5 }).toBe(true)

  demo.process.kill('SIGINT')

  expect(await demo.ended).toBe(0)
  expect(filesOf(demo)).toEqual([])
})

test('the address comes last, when customers can sign in there, and --keep leaves the bank', async () => {
  const kept = join(await emptyDirectory(), 'kept')
  const demo = await startDemo(['--keep', kept])
  await expect.poll(demo.output, { timeout: 90_000 }).toContain('Contraseña de todos')
  const [, url = ''] = /\(demostración\) está en (\S+)/.exec(demo.output()) ?? []
  const [, email] = /Cliente: +(\S+)/.exec(demo.output()) ?? []
  const [, password] = /Contraseña de todos: (\S+)/.exec(demo.output()) ?? []
  const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string }

  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

  expect(answer.status).toBe(200)
  demo.process.kill('SIGTERM')
  expect(await demo.ended).toBe(0)
  expect(readdirSync(kept)).toContain('postgres')
  expect(filesOf(demo)).toEqual([])
})
