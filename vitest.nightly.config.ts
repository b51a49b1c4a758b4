import { defineConfig } from 'vitest/config'
import {
  authorizationProject,
  canRunHosted,
  databaseProject,
  hasPostgres,
  wireProject,
} from './vitest.config.ts'

// The whole of projects that the gate runs in part, and tests that take minutes. `npm run nightly` runs them before its suites.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'nightly',
          include: ['nightly/**/*.test.ts'],
          exclude: ['nightly/gate.test.ts'],
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 300_000,
          hookTimeout: 90_000,
        },
      },
      ...(hasPostgres
        ? [
            // Leaves out the mutation of the policies: both engines run the same SQL, and it takes minutes here.
            databaseProject('pglite', ['!(authorization-mutation)']),
            wireProject('wire:pglite', { engine: 'pglite' }),
            authorizationProject('pglite', ['authorization/*']),
            authorizationProject('postgres', ['authorization/foreign-timing']),
          ]
        : []),
      ...(canRunHosted
        ? [
            wireProject('wire:deno', {
              engine: hasPostgres ? 'postgres' : 'pglite',
              files: ['functions/**/*'],
              env: { FUNCTIONS: 'deno' },
            }),
          ]
        : []),
    ],
  },
})
