import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { findDeno, findSupabaseCli } from '#testing/hosted/programs.ts'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'

// The projects of the normal run test each rule once, on PostgreSQL if it is installed. vitest.nightly.config.ts runs
// the other tests: all database and wire tests on the embedded engine, all function tests under Deno, and tests that
// take minutes.

const isCi = process.env['CI'] === 'true'
export const hasPostgres = findPostgresBinaries() !== undefined
export const canRunHosted = findDeno() !== undefined && findSupabaseCli() !== undefined

if (!hasPostgres)
  warn('PostgreSQL was not found (PG_BIN can name its programs): all tests run on the embedded engine')
if (!canRunHosted)
  warn(
    'Deno and the Supabase CLI were not found (npm ci --prefix testing/hosted/packages): their tests are left out',
  )

function warn(sentence: string): void {
  if (isCi) throw new Error(`${sentence}; in CI they must be there.`)
  process.stderr.write(`${sentence}.\n`)
}

/**
 * Tests that depend on types, errors, concurrency, the change feed or files, and can therefore have a different result
 * on the embedded engine.
 */
const embeddedDatabaseFiles = [
  'catalogue',
  'ledger',
  'long-answers',
  'recurring',
  'releases',
  'schemas',
  'sums',
  'table-api-!(types)',
  'throttle',
  'transactions',
  'verify',
]
const embeddedWireFiles = [
  'auth/admin',
  'auth/end-of-access',
  'auth/second-factor',
  'auth/sign-up',
  'functions/idempotency',
  'functions/manage-transactions',
  'realtime/own-changes',
  'realtime/tokens',
  'rest/amounts',
  'rest/errors',
  'rest/formats',
  'rest/limits',
  'rest/transactions',
]
/**
 * Tests whose result can differ under Deno. These tests cover a function's entry point on a hosted project, or the
 * requests that a function sends to its project.
 */
const denoFiles = [
  'functions/access',
  'functions/delete-account',
  'functions/hosted-user-creation',
  'functions/manage-transactions',
  'functions/manage-users',
  'functions/requests',
  'functions/statement',
]

export type Engine = 'pglite' | 'postgres'

const all = ['**/*']
// The files of a project that run in the same worker process share the loaded libraries. Loading them for each file took
// half of the CPU time of the `unit` and `screens` projects.
const patient = { isolate: false, expect: { poll: { timeout: 15_000 } } }
const withServer = { ...patient, testTimeout: 30_000, hookTimeout: 90_000 }
const testFiles = (folder: string, files: readonly string[]) =>
  files.map((file) => `${folder}/${file}.test.ts`)

export function databaseProject(
  engine: Engine,
  files: readonly string[] = all,
  env: Record<string, string> = {},
): TestProjectConfiguration {
  return {
    test: {
      name: `database:${engine}`,
      include: testFiles('tests/database', files),
      env: { ENGINE: engine, ...env },
      globalSetup: ['tests/database/set-up.ts'],
      ...withServer,
    },
  }
}

export function wireProject(
  name: string,
  options: { engine: Engine; files?: readonly string[]; env?: Record<string, string> },
): TestProjectConfiguration {
  const { engine, files = ['{auth,rest,functions,realtime}/**/*'], env } = options
  return {
    test: {
      name,
      include: testFiles('tests/wire', files),
      env: { ENGINE: engine, ...env },
      globalSetup: ['tests/wire/set-up.ts'],
      ...withServer,
    },
  }
}

/**
 * Returns a project with its own server for the authorization tests, because these tests try every database object, and
 * other test files create tables.
 */
export function authorizationProject(engine: Engine, files: readonly string[]): TestProjectConfiguration {
  return wireProject(`authorization:${engine}`, { engine, files })
}

const engine: Engine = hasPostgres ? 'postgres' : 'pglite'

export default defineConfig({
  test: {
    // Twice the expected number of cores, because tests often wait for a server or for the database.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{bench,contract,server,testing,tests/server,tools,web}/**/*.test.ts'],
          setupFiles: ['testing/fresh-modules.ts'],
          ...withServer,
        },
      },
      {
        test: {
          name: 'screens',
          include: ['web/**/*.test.tsx'],
          setupFiles: ['testing/fresh-modules.ts', 'web/testing/fresh-page.ts'],
          environment: 'happy-dom',
          // Testing Library unmounts the rendered components after each test only if `afterEach` is a global.
          globals: true,
          ...patient,
          testTimeout: 30_000,
        },
      },
      databaseProject(engine),
      wireProject(`wire:${engine}`, { engine }),
      authorizationProject(engine, ['authorization/!(foreign-timing)']),
      {
        test: {
          name: 'process',
          include: ['tests/process/**/*.test.ts'],
          ...patient,
          testTimeout: 120_000,
          hookTimeout: 90_000,
        },
      },
      { test: { name: 'proofs', include: ['nightly/gate.test.ts'], ...patient, testTimeout: 300_000 } },
      ...(hasPostgres
        ? [
            databaseProject('pglite', embeddedDatabaseFiles),
            wireProject('wire:pglite', { engine: 'pglite', files: embeddedWireFiles }),
          ]
        : []),
      ...(canRunHosted
        ? [wireProject('wire:deno', { engine, files: denoFiles, env: { FUNCTIONS: 'deno' } })]
        : []),
    ],
  },
})
