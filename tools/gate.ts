// `npm run check` and `npm test` run static checks and then the test runners. A failing step does not prevent the
// next steps. The last lines list the failures and the test counts of all runners, because the beginning of a long
// log gets lost.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { findTestBrowser } from '#tools/set-up/browser.mjs'

type VitestReport = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}
type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs: { title: string; file: string; tests: { status: string }[] }[]
}
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: { message: string }[]
  suites: PlaywrightSuite[]
}

const vitestFile = '.cache/vitest.json'
const playwrightFile = '.cache/playwright.json'
const isCheck = process.argv[2] === 'check'
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
const slowFiles = ['tests/database/authorization-mutation.test.ts', 'tests/database/backup.test.ts']

for (const file of [vitestFile, playwrightFile]) rmSync(file, { force: true })
const statics = run('npm', ['run', '--silent', 'lint'])
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestFile}`]
const left = [
  ...slowProjects.map((project) => `--project=!${project}`),
  ...slowFiles.map((file) => `--exclude=${file}`),
]
const excluded = isCheck ? left : []
const vitest = run('vitest', ['run', ...reporters, ...excluded])
const playwright =
  isCheck ||
  run('playwright', ['test', '-c', 'tests/e2e/playwright.config.ts', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightFile,
    CHROMIUM_PATH: await findTestBrowser(),
  })

const counts = { passed: 0, skipped: 0 }
const failures: string[] = []
for (const { name, status, message, assertionResults } of (read(vitestFile) as VitestReport | undefined)
  ?.testResults ?? []) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  const passed = assertionResults.filter((test) => test.status === 'passed').length
  counts.passed += passed
  counts.skipped += assertionResults.length - passed - failed.length
  const file = relative(process.cwd(), name)
  for (const { fullName, failureMessages } of failed)
    failures.push(`${file} › ${fullName}\n${failureMessages.join('\n')}`)
  // A test file that fails to load does not report any failed tests.
  if (status === 'failed' && failed.length === 0) failures.push(`${file}\n${message}`)
}
const browser = read(playwrightFile) as PlaywrightReport | undefined
counts.passed += (browser?.stats.expected ?? 0) + (browser?.stats.flaky ?? 0)
counts.skipped += browser?.stats.skipped ?? 0
failures.push(...walks('unexpected'), ...(browser?.errors.map(({ message }) => message) ?? []))

const steps = { 'static checks': statics, vitest, playwright }
for (const [name, isGreen] of Object.entries(steps)) if (!isGreen) console.log(`Failed: ${name}`)
for (const failure of failures) console.log(`Failed: ${failure}`)
for (const title of walks('flaky')) console.log(`Flaky: ${title}`)
const isGreen = statics && vitest && playwright && failures.length === 0 && counts.passed > 0
console.log(`${counts.passed} passed, ${failures.length} failed, ${counts.skipped} skipped`)
process.exitCode = isGreen ? 0 : 1

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): boolean {
  console.log(`\n$ ${program} ${args.join(' ')}`)
  const startedAt = performance.now()
  const { status } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  console.log(
    `${program}: ${status === 0 ? 'ok' : 'failed'}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  )
  return status === 0
}

/** Parses a report, or returns undefined if the runner exited before it wrote the report. */
function read(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function walks(status: 'unexpected' | 'flaky'): string[] {
  const within = ({ suites = [], specs }: PlaywrightSuite): string[] => {
    const own = specs.filter(({ tests }) => tests.some((test) => test.status === status))
    return [...own.map(({ file, title }) => `${file} › ${title}`), ...suites.flatMap(within)]
  }
  return browser?.suites.flatMap(within) ?? []
}
