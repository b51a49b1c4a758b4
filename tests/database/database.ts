/** Creates databases on the engine under test. Each test file uses its own database, which initially has no users. */
import { afterAll, beforeAll, inject } from 'vitest'
import type { RowsOf, SqlStatement } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import * as kit from '#testing/database.ts'
import { type Banks, embeddedBanks, postgresBanks } from './banks.ts'
import { type Person, addPerson } from './people.ts'

/** Opens a database. Closing it deletes it. */
export function openTestDatabase(): Promise<kit.TestDatabase> {
  const cluster = inject('cluster')
  return cluster === null ? kit.openTestDatabase('pglite') : kit.openTestDatabase('postgres', cluster)
}

/** Provides banks on the engine under test for tests of backup and restore. */
export function openBanks(): Promise<Banks> {
  const cluster = inject('cluster')
  return cluster === null ? embeddedBanks() : postgresBanks(cluster.ownerUrl)
}

/** A database with an administrator. */
export type Bank = kit.TestDatabase & {
  readonly administrator: Person
  addCustomer(): Promise<Person>
  /** Runs the statements as the authentication service. */
  asService<const S extends readonly SqlStatement<unknown>[]>(...statements: S): Promise<RowsOf<S>>
}

/**
 * Opens a bank before the tests of the current file or `describe` block, and closes it after them. `prepare` runs once,
 * before the tests.
 */
export function useBank(prepare: (bank: Bank) => Promise<unknown> = () => Promise.resolve()): Bank {
  const bank = {} as Bank
  beforeAll(async () => {
    Object.assign(bank, await openBank())
    await prepare(bank)
  })
  afterAll(() => bank.close())
  return bank
}

/** Runs SQL with triggers disabled. The SQL can therefore change or delete entries of the ledger. */
export async function runWithoutTriggers(bank: Pick<Bank, 'connectSuperuser'>, text: string): Promise<void> {
  const superuser = await bank.connectSuperuser()
  await superuser.script(`set local session_replication_role = 'replica'; ${text}`)
  await superuser.close()
}

async function openBank(): Promise<Bank> {
  const db = await openTestDatabase()
  const { database } = db
  return {
    ...db,
    administrator: await addPerson(database, 'admin'),
    addCustomer: () => addPerson(database, 'user'),
    asService: (...statements) => database.transaction(asService('supabase_auth_admin', 'write'), statements),
  }
}
