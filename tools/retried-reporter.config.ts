// A reporter of vitest's: the names of the tests that passed only when they were tried again, as a list in a file. Called
// `.config` as all that a tool looks for a default export in.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { retriedReport } from './retried-tests.ts'
import { root } from './tree.ts'

/** Named on vitest's command line, which constructs it. */
export default class RetriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = path.join(root, retriedReport)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(modules.flatMap(retriedIn)))
  }
}

function retriedIn(module: TestModule): string[] {
  return [...module.children.allTests()]
    .filter((test) => test.diagnostic()?.flaky === true)
    .map((test) => `${test.project.name}: ${module.relativeModuleId} › ${test.fullName}`)
}
