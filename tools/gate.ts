// `npm run check` and `npm test`: every check in order, each with its verdict and duration, and as the last
// line how many tests passed. A failing step does not hide the ones behind it, and a tool that looked at
// nothing has failed. Tests that passed only when they were tried again are named, and many of them fail it
// (docs/decisions/0039).
import { rmSync } from 'node:fs'
import { findBrowser } from './set-up/browser.mjs'
import { retriedFailure, retriedLines, retriedReport } from './retried-tests.ts'
import { runProgram, type Ended } from './run-program.ts'
import {
  countsLine,
  missingFolders,
  noTests,
  playwrightCounts,
  sum,
  vitestCounts,
  type TestCounts,
} from './test-counts.ts'

type Outcome = { failure?: string; tests?: TestCounts }
type Step = { title: string; run(): Promise<Outcome> }

const vitestReport = '.cache/vitest.json'
const playwrightReport = '.cache/playwright.json'

/** Where tests must have run: a folder that the runner no longer finds would otherwise pass in silence. */
const foldersWithTests = [
  'contract',
  'server',
  'web',
  'tools',
  'tests/database',
  'tests/wire',
  'nightly',
  'bench',
]

const checkSteps: Step[] = [
  ...['contract', 'server', 'web', 'tools'].map((workspace) => ({
    title: `types of ${workspace}`,
    run: async () => verdictOf(await runProgram('tsc', ['-p', workspace])),
  })),
  { title: 'lint', run: async () => sawFiles(await runProgram('oxlint', ['--type-aware'])) },
  { title: 'formatting', run: async () => sawFiles(await runProgram('oxfmt', ['--check', '.'])) },
  {
    title: 'dead code and unused packages',
    // A pattern of knip.json that matches nothing is a hint, and a hint is a failure.
    run: async () => verdictOf(await runProgram('knip', ['--no-progress', '--treat-config-hints-as-errors'])),
  },
  { title: 'unit, database and wire tests', run: runVitest },
]

const stepsByPurpose = new Map([
  ['check', checkSteps],
  ['test', [...checkSteps, { title: 'browser tests', run: runPlaywright }]],
])

const steps = stepsByPurpose.get(process.argv[2] ?? '')
if (steps === undefined) {
  console.error('usage: node tools/gate.ts check|test')
  process.exitCode = 2
} else {
  process.exitCode = (await runAll(steps)) ? 0 : 1
}

async function runAll(planned: readonly Step[]): Promise<boolean> {
  const failed: string[] = []
  let tests = noTests
  for (const step of planned) {
    console.log(`\n== ${step.title}`)
    const startedAt = performance.now()
    const outcome = await step.run()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`-- ${step.title}: ${outcome.failure ?? 'ok'} (${seconds} s)`)
    if (outcome.failure !== undefined) failed.push(`${step.title}: ${outcome.failure}`)
    tests = sum(tests, outcome.tests ?? noTests)
  }
  const chance = retriedFailure(tests.retried)
  if (chance !== undefined) failed.push(chance)
  console.log(failed.length === 0 ? '\nEvery step passed.' : `\nFailed:\n  ${failed.join('\n  ')}`)
  const retried = retriedLines(tests.retried)
  if (retried !== undefined) console.log(retried)
  console.log(countsLine(tests))
  return failed.length === 0
}

function verdictOf({ code, isOverTime }: Ended): Outcome {
  if (isOverTime) return { failure: 'stopped, it took too long' }
  return code === 0 ? {} : { failure: 'failed' }
}

/** oxlint and oxfmt end with "… on 123 files …", and succeed when that is 0. */
function sawFiles(ended: Ended): Outcome {
  const files = Number(/\bon (\d+) files?\b/.exec(ended.output)?.[1] ?? 0)
  return files === 0 ? { failure: 'failed, it looked at no files' } : verdictOf(ended)
}

async function runVitest(): Promise<Outcome> {
  for (const report of [vitestReport, retriedReport]) rmSync(report, { force: true })
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${vitestReport}`,
    '--reporter=./tools/retried-reporter.config.ts',
  ]
  const ended = await runProgram('vitest', ['run', ...reporters])
  return withTests(
    verdictOf(ended),
    vitestCounts(vitestReport, retriedReport),
    missingFolders(vitestReport, foldersWithTests),
  )
}

async function runPlaywright(): Promise<Outcome> {
  rmSync(playwrightReport, { force: true })
  const browser = await findBrowser()
  const ended = await runProgram(
    'playwright',
    ['test', '-c', 'tests/e2e/playwright.config.ts', '--reporter=list,json'],
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
      ...(browser === undefined ? {} : { CHROMIUM_PATH: browser }),
    },
  )
  return withTests(verdictOf(ended), playwrightCounts(playwrightReport), [])
}

function withTests(outcome: Outcome, tests: TestCounts, foldersMissing: readonly string[]): Outcome {
  if (outcome.failure !== undefined) return { ...outcome, tests }
  if (tests.passed === 0) return { failure: 'failed, no test ran', tests }
  if (tests.failed > 0) return { failure: 'failed', tests }
  if (foldersMissing.length > 0)
    return { failure: `failed, no test ran in ${foldersMissing.join(', ')}`, tests }
  return { tests }
}
