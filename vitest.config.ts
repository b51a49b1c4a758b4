import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { findPostgresBinaries } from './tools/postgres/binaries.ts'

// The same database and wire tests run on both engines; ENGINE tells a test file which one it is on. Global
// set-up runs outside the tests' processes and reads it from its project: `project.config.env['ENGINE']`.
const engines = findPostgresBinaries() === undefined ? ['pglite'] : ['pglite', 'postgres']

if (!engines.includes('postgres')) {
  const reason = 'PostgreSQL was not found (PG_BIN can name its programs)'
  if (process.env['CI'] === 'true') throw new Error(`${reason}: in CI the tests do not go on without it.`)
  process.stderr.write(`${reason}: the tests on it are left out, those on the embedded engine run.\n`)
}

const perEngine = engines.flatMap((engine): TestProjectConfiguration[] => [
  {
    test: {
      name: `database:${engine}`,
      include: ['supabase/tests/**/*.test.ts'],
      env: { ENGINE: engine },
      globalSetup: ['supabase/tests/set-up.ts'],
      testTimeout: 20_000,
      hookTimeout: 60_000,
    },
  },
  {
    test: {
      name: `wire:${engine}`,
      include: ['conformance/{auth,rest,functions,realtime}/**/*.test.ts'],
      env: { ENGINE: engine },
      globalSetup: ['conformance/set-up.ts'],
      testTimeout: 20_000,
      hookTimeout: 60_000,
    },
  },
])

export default defineConfig({
  test: {
    // Two cores are what we count on; a passing run must not depend on more.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,server,tools}/**/*.test.ts', 'web/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'screens',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          // Testing Library empties the page after each test where it finds a global afterEach.
          globals: true,
        },
      },
      {
        test: {
          name: 'process',
          include: ['conformance/process/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      ...perEngine,
    ],
  },
})
