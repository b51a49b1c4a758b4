/** Runs SQL directly on the database, as an operator would with psql. Works only on PostgreSQL. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'

/**
 * True if tests can run SQL as the owner. The embedded engine runs inside the server's process, where a test cannot
 * reach it.
 */
export const hasOwner = inject('server').ownerUrl !== null

/** Runs the script as the owner of all objects. Returns each row of the last query as a line of text. */
export async function runAsOwner(script: string): Promise<string[]> {
  const { ownerUrl } = inject('server')
  const binaries = findPostgresBinaries()
  if (ownerUrl === null || binaries === undefined) throw new Error('PostgreSQL does not run.')
  const { stdout } = await promisify(execFile)(join(binaries, 'psql'), [
    '--no-psqlrc',
    '--quiet',
    '--tuples-only',
    '--no-align',
    '--set=ON_ERROR_STOP=1',
    `--dbname=${ownerUrl}`,
    `--command=${script}`,
  ])
  return stdout.split('\n').filter((line) => line !== '')
}
