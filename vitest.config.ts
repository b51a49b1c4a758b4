import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { findDeno, findSupabaseCli } from './testing/hosted/programs.ts'
import { findPostgresBinaries } from './testing/postgres-binaries.ts'

// The same database and wire tests run on both engines; ENGINE tells a test file which one it is on. Global
// set-up runs outside the tests' processes and reads it from its project: `project.config.env['ENGINE']`.
const engines = findPostgresBinaries() === undefined ? ['pglite'] : ['pglite', 'postgres']

const isCi = process.env['CI'] === 'true'

if (!engines.includes('postgres')) {
  const reason = 'PostgreSQL was not found (PG_BIN can name its programs)'
  if (isCi) throw new Error(`${reason}: in CI the tests do not go on without it.`)
  process.stderr.write(`${reason}: the tests on it are left out, those on the embedded engine run.\n`)
}

/**
 * CI's machines stall for seconds now and then: what failed there is tried once more, and the gate names it
 * (docs/decisions/0039). A property that fast-check found broken is a finding and stays one.
 */
const triedAgain = isCi ? { retry: { count: 1, condition: /^(?!Property failed)/ } } : {}

/** For races in money and for what draws its own seeds: a finding there is one, though the next try be well. */
const triedOnce = { retry: 0 }

/** Time for what is waited for on a machine that stalls: it costs nothing where it comes soon. */
const patient = { expect: { poll: { timeout: 15_000 } } }

/** Those that ask a server, or an engine, of their own. */
const withServer = { ...patient, testTimeout: 30_000, hookTimeout: 90_000 }

const canRunHosted = findDeno() !== undefined && findSupabaseCli() !== undefined

if (!canRunHosted) {
  const reason = 'Deno and the Supabase CLI were not found (npm ci --prefix testing/hosted/packages)'
  if (isCi) throw new Error(`${reason}: in CI the tests do not go on without them.`)
  process.stderr.write(`${reason}: the functions are not tried as a hosted project runs them.\n`)
}

const perEngine = engines.flatMap((engine): TestProjectConfiguration[] => [
  {
    test: {
      name: `database:${engine}`,
      include: ['tests/database/**/*.test.ts'],
      env: { ENGINE: engine },
      globalSetup: ['tests/database/set-up.ts'],
      ...withServer,
      ...triedOnce,
    },
  },
  {
    test: {
      name: `wire:${engine}`,
      include: ['tests/wire/{auth,rest,functions,realtime}/**/*.test.ts'],
      env: { ENGINE: engine },
      globalSetup: ['tests/wire/set-up.ts'],
      ...withServer,
      ...triedAgain,
    },
  },
  {
    // On a server of its own: it tries everything that the server offers, and other files make tables.
    test: {
      name: `authorization:${engine}`,
      include: ['tests/wire/authorization/**/*.test.ts'],
      env: { ENGINE: engine },
      globalSetup: ['tests/wire/set-up.ts'],
      ...withServer,
      ...triedAgain,
    },
  },
])

// The client that the specification's product was built on; the engine makes no difference to it.
const oldClient: TestProjectConfiguration = {
  test: {
    name: 'wire:supabase-js-2.30',
    include: ['tests/wire/auth/**/*.test.ts'],
    env: { ENGINE: 'pglite', CLIENT: '2.30' },
    globalSetup: ['tests/wire/set-up.ts'],
    ...withServer,
    ...triedAgain,
  },
}

// The functions as the Supabase CLI deploys them and Deno runs them, the rest of the project being this server.
const hosted: TestProjectConfiguration = {
  test: {
    name: 'wire:deno',
    include: ['tests/wire/functions/**/*.test.ts'],
    env: { ENGINE: engines.at(-1) ?? 'pglite', FUNCTIONS: 'deno' },
    globalSetup: ['tests/wire/set-up.ts'],
    ...withServer,
    ...triedAgain,
  },
}

export default defineConfig({
  test: {
    // Two cores are what we count on; a passing run must not depend on more.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,server,testing,tests/server,tools}/**/*.test.ts', 'web/**/*.test.ts'],
          ...withServer,
          ...triedAgain,
        },
      },
      {
        test: {
          name: 'screens',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          // Testing Library empties the page after each test where it finds a global afterEach.
          globals: true,
          ...patient,
          ...triedAgain,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'process',
          include: ['tests/process/**/*.test.ts'],
          // Servers and clusters are started and ended in each.
          testTimeout: 120_000,
          hookTimeout: 90_000,
          ...patient,
          ...triedAgain,
        },
      },
      {
        test: {
          name: 'nightly',
          include: ['nightly/**/*.test.ts'],
          // Servers are started and killed, and disks reopened, several times in each.
          testTimeout: 300_000,
          ...patient,
          ...triedOnce,
        },
      },
      {
        test: {
          name: 'bench',
          include: ['bench/**/*.test.ts'],
          // A cluster and several servers are started, and asked for a second each.
          testTimeout: 60_000,
          hookTimeout: 90_000,
          ...patient,
          ...triedAgain,
        },
      },
      ...perEngine,
      oldClient,
      ...(canRunHosted ? [hosted] : []),
    ],
  },
})
