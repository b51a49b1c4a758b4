/** Creates databases on the engine under test. Each test file uses its own database, which initially has no users. */
import { afterAll, beforeAll, inject } from 'vitest'
import * as kit from '#testing/database.ts'
import { type Bank, bankOf } from './bank.ts'
import { type Banks, banksOn } from './banks.ts'

/** Opens a database. Closing it deletes it. */
export function openTestDatabase(): Promise<kit.TestDatabase> {
  const cluster = inject('cluster')
  return cluster === null ? kit.openTestDatabase('pglite') : kit.openTestDatabase('postgres', cluster)
}

/** Provides banks on the engine under test for tests of backup and restore. */
export function openBanks(): Promise<Banks> {
  return banksOn(inject('cluster'))
}

/**
 * Opens a bank before the tests of the current file or `describe` block, and closes it after them. `prepare` runs once,
 * before the tests.
 */
export function useBank(prepare: (bank: Bank) => Promise<unknown> = () => Promise.resolve()): Bank {
  const bank = {} as Bank
  beforeAll(async () => {
    Object.assign(bank, await bankOf(await openTestDatabase()))
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
