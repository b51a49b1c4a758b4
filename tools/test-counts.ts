// How many tests ran, read from the reports that vitest and Playwright write.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Tests by outcome. `retried` names those among the passed that failed first and passed when tried again. */
export type TestCounts = { passed: number; failed: number; skipped: number; retried: readonly string[] }

export const noTests: TestCounts = { passed: 0, failed: 0, skipped: 0, retried: [] }

/** The two counts added up. */
export function sum(a: TestCounts, b: TestCounts): TestCounts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    retried: [...a.retried, ...b.retried],
  }
}

/** `12 passed, 0 failed`, and `, 1 skipped` where some were. */
export function countsLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
}

type VitestReport = {
  testResults: Array<{ name: string; status: string; assertionResults: Array<{ status: string }> }>
}

/**
 * The counts of a vitest report; a file that broke before its first test counts as one failed test. The report does
 * not say what was tried again: `retriedFile` is the list that `retried-reporter.config.ts` writes.
 */
export function vitestCounts(reportFile: string, retriedFile: string): TestCounts {
  const report = readReport(reportFile) as VitestReport | undefined
  if (report === undefined) return noTests
  const retried = (readReport(retriedFile) as string[] | undefined) ?? []
  return { ...report.testResults.map(countsOfFile).reduce(sum, noTests), retried }
}

function countsOfFile({ status, assertionResults }: VitestReport['testResults'][number]): TestCounts {
  const passed = assertionResults.filter((result) => result.status === 'passed').length
  const failed = assertionResults.filter((result) => result.status === 'failed').length
  const isBroken = status === 'failed' && failed === 0
  return {
    ...noTests,
    passed,
    failed: failed + (isBroken ? 1 : 0),
    skipped: assertionResults.length - passed - failed,
  }
}

/** Which of the folders had no test that passed or failed, according to a vitest report. */
export function missingFolders(reportFile: string, folders: readonly string[]): string[] {
  const report = readReport(reportFile) as VitestReport | undefined
  const files = (report?.testResults ?? [])
    .filter((file) =>
      file.assertionResults.some((result) => result.status === 'passed' || result.status === 'failed'),
    )
    .map((file) => path.relative(process.cwd(), file.name))
  return folders.filter((folder) => !files.some((file) => file.startsWith(`${folder}${path.sep}`)))
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs: Array<{ title: string; file: string; tests: Array<{ status: string }> }>
}
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
  suites: PlaywrightSuite[]
}

/** The counts of a Playwright report; an error outside of any test counts as one failed test. */
export function playwrightCounts(reportFile: string): TestCounts {
  const report = readReport(reportFile) as PlaywrightReport | undefined
  if (report === undefined) return noTests
  const { expected, unexpected, flaky, skipped } = report.stats
  return {
    passed: expected + flaky,
    failed: unexpected + report.errors.length,
    skipped,
    retried: report.suites.flatMap(flakyIn),
  }
}

function flakyIn({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, title }) => `browser: ${file} › ${title}`)
  return [...own, ...suites.flatMap(flakyIn)]
}

/** Undefined when the tool ended before it wrote its report. */
function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
