/** What an operator types into psql. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Cluster } from '#testing/cluster.ts'

/** Runs the SQL at an address of the cluster; answers the rows of the last query, one a line. Throws what psql says. */
export async function askPsql({ binaries }: Cluster, url: string, sql: string): Promise<string[]> {
  const options = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1']
  // With the SQLSTATE of whatever is refused.
  const verbose = '--set=VERBOSITY=verbose'
  const { stdout } = await promisify(execFile)(join(binaries, 'psql'), [
    ...options,
    verbose,
    `--command=${sql}`,
    url,
  ])
  return stdout.split('\n').filter((line) => line !== '')
}
