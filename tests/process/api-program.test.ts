/**
 * Extracts the example programs from docs/api.md and runs them unmodified with Node and the real client against a
 * server.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { signUp } from '#testing/people.ts'
import { emptyDirectory, programOfFile } from './programs.ts'

const server = programOfFile({ AUTH_AUTOCONFIRM: 'true' })
const programs = [...readFileSync('docs/api.md', 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  ([, program = '']) => program,
)
const [read = '', record = ''] = programs

test('the programs print a customer’s balance and expenses, and record each expense once', async () => {
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

test('the programs exit with the error code if the password is wrong or a row is refused', async () => {
  const person = await customer()
  const refused = { id: randomUUID(), description: 'Taxi', amount: '1.005', category: null }

  const wrongPassword = await run(read, { ...person, PASSWORD: 'otra clave' })
  const wrongAmount = await run(record, person, JSON.stringify([refused]))

  expect([wrongPassword.code, wrongAmount.code]).toEqual([1, 1])
  expect(wrongPassword.stderr).toContain('Error: invalid_credentials: ')
  expect(wrongAmount.stderr).toContain('Error: 23514: ')
})

async function customer(): Promise<Record<'EMAIL' | 'PASSWORD', string>> {
  const { email, password } = await signUp(server())
  return { EMAIL: email, PASSWORD: password }
}

async function run(program: string, person: Record<string, string>, input = '') {
  const folder = await emptyDirectory()
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'expenses.mjs'), program)
  const bank = { BANK_URL: server().url, ANON_KEY: await server().anonKey() }
  const child = spawn(process.execPath, ['expenses.mjs'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...person, ...bank },
  })
  child.stdin.end(input)
  const ended = once(child, 'exit') as Promise<[number | null]>
  const [[code], stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}
