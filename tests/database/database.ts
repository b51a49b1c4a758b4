/** A migrated database of the engine under test, empty and its own for each test file. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Database, Owner } from '#server/database/database.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { connectOwner, openPostgres } from '#server/database/postgres/postgres.ts'
import { preparePostgres } from '#server/database/postgres/prepare.ts'
import pg from 'pg'

export type TestDatabase = {
  database: Database
  owner: Owner
  /** Somebody who may become anybody; closing it is the caller's. */
  connectSuperuser(): Promise<Owner>
  close(): Promise<void>
}

/** Opens one; closing it removes it. */
export function openTestDatabase(): Promise<TestDatabase> {
  return process.env['ENGINE'] === 'postgres' ? openOnPostgres() : openEmbedded()
}

async function openEmbedded(): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-database-'))
  await cp(inject('migratedDirectory'), directory, { recursive: true })
  const { database, owner } = await openPglite(directory)
  return {
    database,
    owner,
    // The embedded engine has one connection, and its owner is one already.
    connectSuperuser: () => Promise.resolve({ ...owner, close: () => Promise.resolve() }),
    async close() {
      await database.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function openOnPostgres(): Promise<TestDatabase> {
  const url = new URL(inject('ownerUrl'))
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const maintenance = new pg.Client({ connectionString: url.href })
  await maintenance.connect()
  await maintenance.query(`create database ${name}`)
  await maintenance.end()
  url.pathname = `/${name}`
  // One secret for the whole cluster: the login that serves belongs to all of its databases.
  const serving = await preparePostgres({
    url: url.href,
    directUrl: null,
    allowSuperuser: false,
    jwtSecret: 'one secret for every database of the test cluster',
  })
  const database = openPostgres(serving)
  const owner = await connectOwner(url.href)
  return {
    database,
    owner,
    connectSuperuser() {
      const superuserUrl = new URL(inject('superuserUrl'))
      superuserUrl.pathname = url.pathname
      return connectOwner(superuserUrl.href)
    },
    async close() {
      await database.close()
      await owner.close()
    },
  }
}
