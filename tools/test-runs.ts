// Runs the test runners and reads their reports, for `npm run check`, `npm test` and `npm run nightly`.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { findTestBrowser } from '#tools/set-up/browser.mjs'

/** The result of a test runner. It is not green either if the runner itself failed. */
export type TestRun = {
  readonly isGreen: boolean
  readonly passed: number
  readonly skipped: number
  readonly failures: readonly string[]
  /** Titles of the tests that passed only at the second attempt. */
  readonly flaky: readonly string[]
}

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

/** Runs a program in the terminal of this process, prints how long it took, and returns whether it succeeded. */
export function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): boolean {
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

export function runVitest(args: readonly string[], env: NodeJS.ProcessEnv = {}): TestRun {
  const file = '.cache/vitest.json'
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const isGreen = runProgram('vitest', ['run', ...args, ...reporters], env)
  const counts = { passed: 0, skipped: 0 }
  const failures: string[] = []
  for (const { name, status, message, assertionResults } of (read(file) as VitestReport | undefined)
    ?.testResults ?? []) {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const passed = assertionResults.filter((test) => test.status === 'passed').length
    counts.passed += passed
    counts.skipped += assertionResults.length - passed - failed.length
    const path = relative(process.cwd(), name)
    for (const { fullName, failureMessages } of failed)
      failures.push(`${path} › ${fullName}\n${failureMessages.join('\n')}`)
    // A test file that fails to load does not report any failed tests.
    if (status === 'failed' && failed.length === 0) failures.push(`${path}\n${message}`)
  }
  return { isGreen: isGreen && failures.length === 0, ...counts, failures, flaky: [] }
}

export async function runPlaywright(env: NodeJS.ProcessEnv = {}): Promise<TestRun> {
  const file = '.cache/playwright.json'
  rmSync(file, { force: true })
  const args = ['test', '-c', 'tests/e2e/playwright.config.ts', '--reporter=list,json']
  const isGreen = runProgram('playwright', args, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    CHROMIUM_PATH: await findTestBrowser(),
    ...env,
  })
  const report = read(file) as PlaywrightReport | undefined
  const failures = [
    ...titlesOf(report, 'unexpected'),
    ...(report?.errors.map(({ message }) => message) ?? []),
  ]
  return {
    isGreen: isGreen && failures.length === 0,
    passed: (report?.stats.expected ?? 0) + (report?.stats.flaky ?? 0),
    skipped: report?.stats.skipped ?? 0,
    failures,
    flaky: titlesOf(report, 'flaky'),
  }
}

/** Parses a report, or returns undefined if the runner exited before it wrote the report. */
function read(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function titlesOf(report: PlaywrightReport | undefined, status: 'unexpected' | 'flaky'): string[] {
  const within = ({ suites = [], specs }: PlaywrightSuite): string[] => {
    const own = specs.filter(({ tests }) => tests.some((test) => test.status === status))
    return [...own.map(({ file, title }) => `${file} › ${title}`), ...suites.flatMap(within)]
  }
  return report?.suites.flatMap(within) ?? []
}
