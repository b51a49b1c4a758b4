/** The programs of docs/api.md as they stand there, run by Node with the real client against a server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { anonKeyOf, clientOf } from './client.ts'
import { emptyDirectory, programOfFile } from './server-program.ts'

const server = programOfFile({ AUTH_AUTOCONFIRM: 'true', AUTH_RATE_LIMITS: 'off' })
const programs = [...readFileSync('docs/api.md', 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  ([, program = '']) => program,
)
const [read = '', record = ''] = programs
const password = 'una clave larga'

test('the programs print what a customer has and record what they spent, once however often they run', async () => {
  const person = await customer()
  const expenses = Array.from({ length: 90 }, (_, index) => ({
    id: randomUUID(),
    description: `Taxi ${index}`,
    amount: '12500.50',
    category: 'Transporte',
    date: new Date().toISOString(),
  }))

  for (const _time of ['once', 'again'])
    expect(await run(record, person, JSON.stringify(expenses))).toEqual({ code: 0, stdout: '', stderr: '' })
  const { code, stdout, stderr } = await run(read, person)

  expect({ programs: programs.length, code, stderr }).toEqual({ programs: 2, code: 0, stderr: '' })
  const printed = JSON.parse(stdout) as { balance: string; expenses: { id: string; amount: string }[] }
  expect(printed.balance).toBe('-1125045.00')
  expect(new Set(printed.expenses.map(({ id }) => id))).toEqual(new Set(expenses.map(({ id }) => id)))
  expect(printed.expenses).toHaveLength(90)
  expect(printed.expenses[0]?.amount).toBe('12500.50')
})

test('a wrong password and a refused row end them with the code of the refusal', async () => {
  const person = await customer()
  const refused = { id: randomUUID(), description: 'Taxi', amount: '1.005', category: null }

  const wrongPassword = await run(read, { ...person, PASSWORD: 'otra clave' })
  const wrongAmount = await run(record, person, JSON.stringify([refused]))

  expect([wrongPassword.code, wrongAmount.code]).toEqual([1, 1])
  expect(wrongPassword.stderr).toContain('Error: invalid_credentials: ')
  expect(wrongAmount.stderr).toContain('Error: 23514: ')
})

async function customer(): Promise<Record<'EMAIL' | 'PASSWORD', string>> {
  const person = { email: `${randomUUID()}@banco.example`, password }
  const { error } = await (await clientOf(server())).auth.signUp(person)
  expect(error).toBeNull()
  return { EMAIL: person.email, PASSWORD: password }
}

async function run(program: string, person: Record<string, string>, input = '') {
  const folder = await emptyDirectory()
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'expenses.mjs'), program)
  const child: ChildProcess = spawn(process.execPath, ['expenses.mjs'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      ...person,
      BANK_URL: server().url,
      ANON_KEY: await anonKeyOf(server()),
    },
  })
  child.stdin?.end(input)
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
  ])
  return { code, stdout, stderr }
}
