// The keys that sign statements. Only one key is used at a time. The database keeps all public keys forever, and
// only the server can read the private keys.
import { expect, test } from 'vitest'
import {
  checkSignature,
  newSigningKey,
  openSigningKey,
  signCsv,
} from '@finanzas/contract/papers/signature.ts'
import { statementCsv, readStatementCsv } from '@finanzas/contract/papers/csv.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { certifierOf } from '#server/papers/certificate.ts'
import {
  openStatementKey,
  publishStatementKey,
  readStatementKeys,
  retireStatementKey,
} from '#server/database/statement-keys.ts'
import { sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { deriveKeys, newDataKey } from '#server/tokens/keys.ts'
import { useBank } from './database.ts'

const bank = useBank()
const dataKey = newDataKey()
const seal = deriveKeys(dataKey).statements
const certifier = certifierOf({ bankName: 'Banco' })
const open = (by = seal, certifiedBy = certifier) => openStatementKey(bank.database, by, certifiedBy)
const csv = statementCsv({
  bankName: 'Banco',
  customer: 'Ana',
  account: crypto.randomUUID(),
  currency: 'USD',
  month: '2026-11',
  issuedAt: '2026-12-01 09:00',
  openingMinor: 0 as MinorUnits,
  closingMinor: 0 as MinorUnits,
  notedMinor: 0 as MinorUnits,
  lastSeq: 0,
  hash: '0'.repeat(64),
  signature: null,
  rows: [],
})
const verdictOf = async (signed: string) => {
  const statement = readStatementCsv(signed)
  return statement === null ? null : checkSignature(statement, await readStatementKeys(bank.database))
}

test('servers that sign for the first time at the same moment share one key', async () => {
  const keys = await Promise.all([open(), open(), open()])

  const names = new Set(keys.map(({ publicKey }) => publicKey.kid))
  expect(names.size).toBe(1)
  expect((await readStatementKeys(bank.database)).keys.map(({ kid }) => kid)).toEqual([...names])
})

test('signatures of a retired key stay valid after its private key is deleted', async () => {
  const before = await open()
  const signed = await signCsv(csv, before)

  await bank.asService(retireStatementKey(null))
  const after = await open()

  expect(after.publicKey.kid).not.toBe(before.publicKey.kid)
  expect([await verdictOf(signed), await verdictOf(await signCsv(csv, after))]).toEqual(['valid', 'valid'])
  expect(
    await bank.asService(
      sql`select s.kid is null as is_gone
          from auth.statement_keys k left join auth.signing_keys s on s.kid = k.kid where k.kid = ${before.publicKey.kid}`,
    ),
  ).toEqual([[{ is_gone: true }]])
})

test('a new key signs after the data key is lost, and earlier signatures stay valid', async () => {
  const signed = await signCsv(csv, await open())

  const after = await open(deriveKeys(newDataKey()).statements)

  expect([await verdictOf(signed), await verdictOf(await signCsv(csv, after))]).toEqual(['valid', 'valid'])
  await bank.asService(retireStatementKey(null))
})

test('a new key signs after a certificate has expired, and the published keys keep both certificates', async () => {
  const before = await open()
  const hasExpired = (certificate: string) => certificate === before.publicKey.x5c?.[0]

  const after = await open(seal, { ...certifier, hasExpired })

  expect(after.publicKey.kid).not.toBe(before.publicKey.kid)
  const { keys } = await readStatementKeys(bank.database)
  for (const { publicKey } of [before, after]) expect(keys).toContainEqual(publicKey)
})

test('the key of the bank’s own certificate is published once, and its private part is not stored', async () => {
  const { publicKey } = await openSigningKey(await newSigningKey())

  for (let start = 0; start < 2; start += 1) await publishStatementKey(bank.database, publicKey)

  const { keys } = await readStatementKeys(bank.database)
  expect(keys.filter(({ kid }) => kid === publicKey.kid)).toEqual([publicKey])
  expect(
    await bank.asService(
      sql`select count(*)::integer as sealed from auth.signing_keys where kid = ${publicKey.kid}`,
    ),
  ).toEqual([[{ sealed: 0 }]])
})

test.for([
  `delete from auth.statement_keys`,
  `truncate auth.statement_keys cascade`,
  `update auth.statement_keys set public_key = '{}'`,
])('the authentication service cannot delete or change a key: %s', async (text) => {
  await open()

  await expect(bank.asService({ text, values: [] })).rejects.toMatchObject({ sqlState: '42501' })
})

test('customers, administrators and the service key cannot read the signing keys', async () => {
  await open()
  const statements = [sql`select * from auth.statement_keys`, sql`select * from auth.signing_keys`]
  const scopes = [
    (await bank.addCustomer()).as('read'),
    bank.administrator.as('read'),
    { ...asService('supabase_auth_admin', 'read'), role: 'service_role' } as const,
  ]

  for (const scope of scopes)
    for (const statement of statements)
      await expect(bank.database.transaction(scope, [statement])).rejects.toMatchObject({ sqlState: '42501' })
})
