// `npm run check` and `npm test` run static checks and then the test runners. `.ci/run` adds one slice of the long-running
// tests and the short form of the measurements. A failing step does not prevent the next steps. The last lines list the
// failures and the test counts of all runners, because the beginning of a long log gets lost.
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { type TestRun, runPlaywright, runProgram, runVitest } from './test-runs.ts'

const [, , kind = ''] = process.argv
const isCheck = kind === 'check'
/**
 * Vitest projects that run only with `npm test`: tests of servers in separate processes, of the second database
 * engine and of the other runtimes.
 */
const slowProjects = [
  'process',
  'proofs',
  'wire:deno',
  ...(findPostgresBinaries() === undefined ? [] : ['*:pglite']),
]
/** Slow test files in the other projects, which take half a minute each. */
const slowFiles = [
  'tests/database/authorization-mutation.test.ts',
  'tests/database/backup.test.ts',
  'tests/database/releases.test.ts',
]

const left = [
  ...slowProjects.map((project) => `--project=!${project}`),
  ...slowFiles.map((file) => `--exclude=${file}`),
]
const steps: Record<string, boolean> = {}
const runs: TestRun[] = []

steps['static checks'] = runProgram('npm', ['run', '--silent', 'lint'])
runTests('vitest', runVitest(isCheck ? left : []))
if (!isCheck) runTests('playwright', await runPlaywright())
if (kind === 'ci') {
  steps['a slice of the long-running tests'] = runProgram('npm', ['run', 'nightly', '--', '--slice', 'auto'])
  steps['the short measurements'] = runProgram('npm', ['run', 'bench', '--', '--short'])
}

const sum = (count: (run: TestRun) => number) => runs.reduce((total, run) => total + count(run), 0)
const [passed, failed] = [sum((run) => run.passed), sum((run) => run.failures.length)]
for (const [name, isGreen] of Object.entries(steps)) if (!isGreen) console.log(`Failed: ${name}`)
for (const failure of runs.flatMap(({ failures }) => failures)) console.log(`Failed: ${failure}`)
for (const title of runs.flatMap(({ flaky }) => flaky)) console.log(`Flaky: ${title}`)
console.log(`${passed} passed, ${failed} failed, ${sum((run) => run.skipped)} skipped`)
process.exitCode = Object.values(steps).every(Boolean) && passed > 0 ? 0 : 1

function runTests(name: string, run: TestRun): void {
  steps[name] = run.isGreen
  runs.push(run)
}
