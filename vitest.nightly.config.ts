import { defineConfig } from 'vitest/config'
import {
  authorizationProject,
  canRunHosted,
  databaseProject,
  hasPostgres,
  wireProject,
} from './vitest.config.ts'

// The complete versions of the projects that the normal run executes only in part, and tests that take minutes. The
// proofs of `npm run nightly` that are suites run these projects (nightly/proofs.ts).

/** Returns a number of files at the scale of the run. */
const sized = (full: number) => String(Math.round(full * Number(process.env['NIGHTLY_SCALE'] ?? '1')))

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
      {
        test: {
          name: 'files',
          include: ['web/uploads/import/read/formats/fuzz.test.ts'],
          env: { FUZZ_FILES: sized(100_000) },
          testTimeout: 3_600_000,
        },
      },
      {
        test: {
          name: 'bank-files',
          include: ['web/uploads/import/read/judge/corpus.test.ts'],
          env: { BANK_FILES: sized(60_000) },
          setupFiles: ['testing/fresh-modules.ts'],
          testTimeout: 120_000,
        },
      },
      ...(hasPostgres
        ? [
            // Leaves out the test that mutates the policies: both engines run the same SQL, and this test takes minutes
            // on the embedded engine.
            databaseProject('pglite', ['!(authorization-mutation)']),
            wireProject('wire:pglite', { engine: 'pglite' }),
            databaseProject('postgres', ['authorization-mutation'], { WEAKENINGS: 'all' }),
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
