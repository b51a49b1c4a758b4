/**
 * The duration of a refused request must not reveal whether an account exists (security.md AN-05, AN-06). The tests
 * compare the work instead of the time: for each kind of address, the server must run the same database
 * transactions with the same number of statements, and the same hashing.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Database, sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import type { Passwords } from '#server/people/password/passwords.ts'
import { signIn } from '#server/people/session/sign-in.ts'
import { signUp, signUpConfirmed } from '#server/people/sign-up.ts'
import { databaseOfFile, quickPasswords as passwords } from '#testing/surfaces.ts'

const device = { userAgent: null, ip: '127.0.0.1' }
const password = 'una clave larga'
const newEmail = () => `${randomUUID()}@banco.example`

const bank = await databaseOfFile()
const scope = asService('supabase_auth_admin', 'write')

test('a refused sign-in requires the same work for every kind of address', async () => {
  const [known, banned, passwordless] = [await customer(), await customer(), await customer()]
  const waiting = newEmail()
  await signUp(bank.database, passwords, { email: waiting, password, userMetadata: {}, challenge: null })
  await bank.owner.query(
    sql`update auth.users set banned_until = now() + interval '1 day' where email = ${banned}`,
  )
  await bank.owner.query(sql`update auth.users set encrypted_password = null where email = ${passwordless}`)
  const refused = (email: string | null, tried = 'esta no es') =>
    workOf(async (database, counted) => {
      const outcome = await signIn(database, counted, { email, password: tried, device })
      expect(outcome.kind).not.toBe('signed in')
    })

  const work = await refused(known)

  expect(work).toEqual(['transaction of 1', 'compare'])
  expect(await refused(newEmail())).toEqual(work)
  expect(await refused(null)).toEqual(work)
  expect(await refused(banned)).toEqual(work)
  expect(await refused(banned, password)).toEqual(work)
  expect(await refused(waiting)).toEqual(work)
  expect(await refused(passwordless)).toEqual(work)
})

test('a sign-up requires the same work for an unconfirmed address and for a taken address', async () => {
  const [taken, waiting] = [await customer(), newEmail()]
  const signedUp = (email: string) =>
    workOf((database, counted) =>
      signUp(database, counted, { email, password, userMetadata: {}, challenge: null }),
    )

  const work = await signedUp(waiting)

  expect(work).toContain('hash')
  expect(await signedUp(waiting)).toEqual(work)
  expect(await signedUp(taken)).toEqual(work)
})

test('a wrong code causes a durable write for known and unknown addresses', async () => {
  const known = await customer()
  await bank.database.transaction(scope, [
    sql`
      select auth.store_one_time_token(u.id, 'magiclink', u.email, 'hash', 600, 'mac', 600, null, null)
      from auth.users u where u.email = ${known}`,
  ])
  const isWrite = async (email: string) => {
    const [, [row]] = await bank.database.transaction(scope, [
      sql`select from auth.consume_one_time_token('{magiclink}', null, ${email}, 'another')`,
      sql<{ isWrite: boolean }>`select pg_current_xact_id_if_assigned() is not null as "isWrite"`,
    ])
    return row?.isWrite
  }

  expect(await isWrite(known)).toBe(true)
  expect(await isWrite(newEmail())).toBe(true)
})

/** Runs a function and returns its database transactions and hashing steps in order. */
async function workOf(
  work: (database: Database, passwords: Passwords) => Promise<unknown>,
): Promise<string[]> {
  const steps: string[] = []
  const database: Database = Object.assign(Object.create(bank.database) as Database, {
    transaction: ((scope, statements) => {
      steps.push(`transaction of ${statements.length}`)
      return bank.database.transaction(scope, statements)
    }) satisfies Database['transaction'],
  })
  await work(database, {
    ...passwords,
    hash(...given) {
      steps.push('hash')
      return passwords.hash(...given)
    },
    compare(...given) {
      steps.push('compare')
      return passwords.compare(...given)
    },
  })
  return steps
}

async function customer(): Promise<string> {
  const email = newEmail()
  await signUpConfirmed(bank.database, passwords, { email, password, userMetadata: {}, device })
  return email
}
