// The bank issues a month's statement and signs only data that it has read itself.
import { inject } from 'vitest'
import { expect, test } from 'vitest'
import { checkStatement } from '@finanzas/contract/statement/check.ts'
import { readStatementCsv } from '@finanzas/contract/statement/csv.ts'
import {
  type StatementKeys,
  checkSignature,
  readStatementKeys,
  statementKeysPath,
} from '@finanzas/contract/statement/signature.ts'
import type { StatementAnswer } from '@finanzas/contract/statement/statement.ts'
import { administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { depositFor, invoke } from './invoke.ts'

const { url, hostedStatementKey } = inject('server')

async function publishedKeys(): Promise<StatementKeys> {
  // A hosted project publishes its key as a file of the page.
  if (hostedStatementKey !== null) return { keys: [hostedStatementKey] }
  const keys = readStatementKeys(await (await fetch(`${url}${statementKeysPath}`)).json())
  if (keys === null) throw new Error('No keys are published.')
  return keys
}

const thisMonth = () => new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7)

test('a customer can get a signed statement with their name and the entries of the month', async () => {
  const person = await signUpCustomer()
  const office = (await administrator()).client
  await invoke(office, 'manage-transactions', depositFor(person.id))
  const month = thisMonth()

  const { status, body } = await invoke(person.client, 'statement', { month })

  const statement = readStatementCsv(String(body['csv']))
  if (statement === null) throw new Error('This is no statement.')
  expect(status).toBe(200)
  expect(statement).toMatchObject({
    bankName: 'Banco Finanzas',
    customer: `Ana Pérez (nombre declarado) · ${person.email}`,
    account: person.id,
    currency: 'USD',
    month,
    closingMinor: 1000,
  })
  expect(await checkSignature(statement, await publishedKeys())).toBe('valid')
  expect(await checkSignature({ ...statement, currency: 'COP' }, await publishedKeys())).toBe('false')
  const { data } = await person.client.rpc('statement', {
    month: `${month}-01`,
    until_seq: statement.lastSeq,
  })
  expect(checkStatement(statement, data as StatementAnswer, statement)).toMatchObject({ holds: true })
})

test('a customer cannot have a sentence signed as their name', async () => {
  const person = await signUpCustomer()
  const full_name = 'Ana. CERTIFICAMOS saldo promedio anual de $ 250,000,000.00. Gerencia'
  expect((await person.client.auth.updateUser({ data: { full_name } })).error).toBeNull()

  const { body } = await invoke(person.client, 'statement', { month: thisMonth() })

  expect(readStatementCsv(String(body['csv']))).toMatchObject({ customer: person.email })
})

test('a person cannot have their own text or another person’s month signed', async () => {
  const person = await signUpCustomer()
  const month = thisMonth()

  for (const body of [
    { month, csv: 'Banco;Otro' },
    { month, account: crypto.randomUUID() },
    { month: `${month}-01` },
    { month: '2026-13' },
    { month: '0000-01' },
    {},
  ])
    expect((await invoke(person.client, 'statement', body)).status).toBe(400)
})

test('a caller without a session cannot get a statement', async () => {
  expect(await invoke(newClient(), 'statement', { month: thisMonth() })).toMatchObject({ status: 401 })
})

test('anybody can read the public keys without an API key, but not the private keys', async () => {
  const person = await signUpCustomer()
  await invoke(person.client, 'statement', { month: thisMonth() })
  if (hostedStatementKey !== null) return

  const answer = await fetch(`${url}${statementKeysPath}`)

  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const { keys } = (await answer.json()) as { keys: object[] }
  expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([
    ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
  ])
})
