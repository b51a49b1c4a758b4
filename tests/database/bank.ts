/** A database with an administrator. This file must work without a test runner, because `npm run nightly` uses it too. */
import type { RowsOf, SqlStatement } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import type { TestDatabase } from '#testing/database.ts'
import { type Person, addPerson } from './people.ts'

export type Bank = TestDatabase & {
  readonly administrator: Person
  addCustomer(): Promise<Person>
  /** Runs the statements as the authentication service. */
  asService<const S extends readonly SqlStatement<unknown>[]>(...statements: S): Promise<RowsOf<S>>
}

/** Adds an administrator to a database. */
export async function bankOf(open: TestDatabase): Promise<Bank> {
  const { database } = open
  return {
    ...open,
    administrator: await addPerson(database, 'admin'),
    addCustomer: () => addPerson(database, 'user'),
    asService: (...statements) => database.transaction(asService('supabase_auth_admin', 'write'), statements),
  }
}
