/**
 * `npm run bench` measures how fast the product is. Each scenario compares the product with an upper limit of this
 * machine and with other products. Within a run, the product and the other programs are measured in turns.
 * `-- dashboard start` runs only the scenarios `dashboard` and `start`. `--machine TEXT` names the machine in the
 * report. The report is written to `reports/bench/`. The exit code is nonzero when a figure misses its threshold, and
 * when the machine's host took so much processor time that the figures are unreliable. `-- --short` runs each scenario
 * once on a small bank, without other products. It judges only figures that do not depend on the machine's speed, and
 * writes no report.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Metric, machineName, printMetrics, withoutSpeed, writeReport } from '#testing/report.ts'
import { Fixtures, measuredSizes, shortSizes } from '#bench/fixtures/fixtures.ts'
import type { Order, Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { watchStolenTime } from '#testing/stolen-time.ts'

/** Share of stolen processor time above which a scenario is measured again, at most `triesMax` times in total. */
const stolenMax = 0.05
const triesMax = 3

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    machine: { type: 'string', default: machineName() },
    short: { type: 'boolean', default: false },
  },
})
const { short: isShort } = values
const order: Order = isShort
  ? { rounds: 1, seconds: 0.3, connections: 4, isShort }
  : { rounds: 5, seconds: 1, connections: 16, isShort }
const chosen = positionals.length === 0 ? Object.entries(scenarios) : positionals.map(scenarioOf)
fetchWhatIsNeeded(chosen)
const missed: string[] = []
const took: [name: string, seconds: number][] = []
const fixtures = new Fixtures(isShort ? shortSizes : measuredSizes)
try {
  for (const [name, scenario] of chosen) {
    try {
      await run(name, scenario)
    } catch (error) {
      // A scenario that cannot be measured counts as a missed threshold, and the other scenarios still run.
      console.error(error)
      missed.push(`${name}: it could not be measured`)
    }
  }
} finally {
  await fixtures.close()
}
const whole = took.reduce((sum, [, seconds]) => sum + seconds, 0)
console.log(
  `\n${took.map(([name, seconds]) => `${name} ${Math.round(seconds)}`).join(', ')}: ${Math.round(whole)} s in all`,
)
if (missed.length > 0) {
  console.log(`\nBelow the line:\n  ${missed.join('\n  ')}`)
  process.exitCode = 1
}

async function run(name: string, scenario: Scenario): Promise<void> {
  console.log(`\n== ${scenario.title}`)
  const startedAt = performance.now()
  const { metrics, stolen, isDisturbed } = isShort
    ? await measureAnswers(scenario)
    : await measureUndisturbed(scenario)
  const seconds = (performance.now() - startedAt) / 1000
  took.push([name, seconds])
  if (isShort) printMetrics(metrics)
  else report(name, { scenario, metrics, stolen, seconds })
  if (isDisturbed)
    missed.push(`${name}: the host took ${percentOf(stolen)} of the processors, so it is not judged`)
  for (const { what, value, threshold, passed } of metrics)
    if (!passed) missed.push(`${name}: ${what} is ${value}, threshold ${threshold}`)
}

type Reported = { scenario: Scenario; metrics: readonly Metric[]; stolen: number; seconds: number }

function report(name: string, { scenario, metrics, stolen, seconds }: Reported): void {
  writeReport('bench', {
    name,
    title: scenario.title,
    facts: [
      `\`npm run bench -- ${name}\``,
      `${values.machine}, Node ${process.versions.node}`,
      `${order.connections} connections, medians of ${order.rounds} rounds, ${Math.round(seconds)} s in all`,
      `its host took ${percentOf(stolen)} of the processors`,
    ],
    notes: [
      ...(scenario.limit === undefined ? [] : [`Limit: ${scenario.limit}.`]),
      ...(scenario.peers === undefined ? [] : [`Peers: ${scenario.peers}.`]),
    ],
    metrics,
  })
}

/** Runs the scenario once, and drops the thresholds of all figures that depend on the machine's speed. */
async function measureAnswers(scenario: Scenario): Promise<Measured> {
  const metrics = await scenario.run(fixtures, order)
  return { metrics: withoutSpeed(metrics), stolen: 0, isDisturbed: false }
}

type Measured = {
  readonly metrics: readonly Metric[]
  readonly stolen: number
  readonly isDisturbed: boolean
}

/**
 * Repeats the measurement when the host took too much processor time, and returns the run with the smallest share of
 * stolen time.
 */
async function measureUndisturbed(scenario: Scenario): Promise<Measured> {
  let best: Measured | null = null
  for (let tries = 0; tries < triesMax; tries += 1) {
    const stolenSince = watchStolenTime()
    const metrics = await scenario.run(fixtures, order)
    const stolen = stolenSince()
    const isDisturbed = stolen > stolenMax && scenario.isOnProcessorTime !== true
    if (best === null || stolen < best.stolen) best = { metrics, stolen, isDisturbed }
    if (!isDisturbed) break
    console.log(`   the host took ${percentOf(stolen)} of the processors meanwhile`)
  }
  if (best === null) throw new Error('Nothing was measured.')
  return best
}

function percentOf(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function scenarioOf(name: string): [string, Scenario] {
  const scenario = scenarios[name]
  if (scenario === undefined)
    throw new Error(`The scenario ${name} does not exist: ${Object.keys(scenarios).join(', ')}.`)
  return [name, scenario]
}

/**
 * Installs Lighthouse and the products with which Finanzas is compared. Each of them has its own lockfile, because
 * Finanzas does not depend on them.
 */
function fetchWhatIsNeeded(wanted: readonly [string, Scenario][]): void {
  const needs = new Set(wanted.flatMap(([, scenario]) => scenario.needs ?? []))
  for (const need of ['peers', 'lighthouse'] as const)
    if (
      needs.has(need) &&
      !(isShort && need === 'peers') &&
      !existsSync(`bench/${need}/node_modules/.package-lock.json`)
    )
      execFileSync('npm', ['ci', '--prefix', `bench/${need}`, '--ignore-scripts'], { stdio: 'inherit' })
  if (needs.has('browser'))
    execFileSync(process.execPath, ['tools/set-up/set-up.mjs', 'test'], { stdio: 'inherit' })
}
