/** `npm run demo` as a person runs it, and ends it whenever they like. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#testing/ports.ts'
import { emptyDirectory } from '#tests/process/server-program.ts'

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

/** Making and filling a bank takes a minute where other tests take the machine. */
const patience = { timeout: 240_000, interval: 5 }

const isMade = (demo: Demo) => filesOf(demo).some((file) => file.includes('postgres.new-'))
const isFilled = (demo: Demo) => demo.output().includes('Llenando el banco')

test.each([
  ['while the database is made', isMade],
  ['while the bank is filled', isFilled],
])(
  'the demo that is ended %s leaves nothing behind',
  async (_when, isThen) => {
    const demo = await startDemo()
    await expect.poll(() => isThen(demo), patience).toBe(true)

    demo.process.kill('SIGINT')

    expect(await demo.ended).toBe(0)
    expect(filesOf(demo)).toEqual([])
  },
  300_000,
)

test('the address comes last, when customers can sign in there, and the end leaves nothing', async () => {
  const demo = await startDemo()
  await expect.poll(demo.output, patience).toContain('Contraseña de todos')
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
  demo.process.kill('SIGINT')
  expect(await demo.ended).toBe(0)
  expect(filesOf(demo)).toEqual([])
}, 300_000)

test('a directory that is kept stays, and one that is not empty is refused', async () => {
  const kept = join(await emptyDirectory(), 'kept')
  const demo = await startDemo(['--keep', kept])
  await expect.poll(() => existsSync(kept) && readdirSync(kept).length > 0, patience).toBe(true)
  demo.process.kill('SIGTERM')
  expect(await demo.ended).toBe(0)

  const again = await startDemo(['--keep', kept])

  expect(await again.ended).toBe(1)
  expect(again.output()).toContain(`${kept} no está vacío.`)
  expect(filesOf(demo)).toEqual([])
}, 300_000)
