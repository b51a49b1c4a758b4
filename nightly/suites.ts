/** Runs the suites of vitest and Playwright that the gate leaves out, and counts their tests. */
import { type Metric, counted, metricWithoutThreshold, none } from '#testing/report.ts'
import { type TestRun, runPlaywright, runVitest } from '#tools/test-runs.ts'

/** Runs a project of vitest.nightly.config.ts, or only the given files of it. */
export async function runSuite(suite: {
  readonly project: string
  readonly files: readonly string[]
  readonly scale: number
}): Promise<Metric[]> {
  const { project, files, scale } = suite
  const args = ['-c', 'vitest.nightly.config.ts', '--project', project, ...files]
  return metricsOf(project, runVitest(args, { NIGHTLY_SCALE: String(scale) }))
}

/** Runs the browser tests that are tagged @nightly. */
export async function runTaggedPages(): Promise<Metric[]> {
  return metricsOf('@nightly', await runPlaywright({ E2E_NIGHTLY: '1' }))
}

function metricsOf(suite: string, { isGreen, passed, skipped, failures }: TestRun): Metric[] {
  return [
    counted(`${suite}: tests that passed`, passed),
    metricWithoutThreshold(`${suite}: tests that were left out`, skipped),
    // A runner can also fail without a failed test.
    none(`${suite}: tests that failed`, isGreen ? 0 : Math.max(1, failures.length)),
  ]
}
