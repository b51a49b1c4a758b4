/** A migrated database of the engine under test, empty and its own for each test file. */
import { inject } from 'vitest'
import * as kit from '#testing/database.ts'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'

export type TestDatabase = kit.TestDatabase

/** For what is the same on both engines and takes several times as long on the embedded one: PostgreSQL is there to prove it. */
export const isProvenElsewhere = process.env['ENGINE'] === 'pglite' && findPostgresBinaries() !== undefined

/** The owner's address on the tests' PostgreSQL cluster. Throws on the embedded engine. */
export function ownerUrl(): string {
  const cluster = inject('cluster')
  if (cluster === null) throw new Error('The embedded engine has no address.')
  return cluster.ownerUrl
}

/** Opens one; closing it removes it. */
export function openTestDatabase(): Promise<TestDatabase> {
  const cluster = inject('cluster')
  return cluster === null ? kit.openTestDatabase('pglite') : kit.openTestDatabase('postgres', cluster)
}
