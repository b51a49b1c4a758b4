/**
 * `npm run nightly`: the long proofs of ledger and identity, one suite after the other, each with its figures and its line.
 * `-- bank power-loss` runs those only, `--scale 0.1` a tenth of their sizes, `--seed 7` other choices,
 * `--machine TEXT` names the machine, `--plant key` one run with that fault instead. Exits non-zero when a line is missed.
 */
import { parseArgs } from 'node:util'
import { machineName, writeReport } from '#testing/report.ts'
import { controls } from './controls.ts'
import type { Figure } from './report/figure.ts'
import { removeTemplate } from './places/place.ts'
import { suites } from './suites.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    machine: { type: 'string', default: machineName() },
    plant: { type: 'string' },
  },
})
const order = { scale: Number(values.scale), seed: Number(values.seed) }
const isMissed = values.plant === undefined ? await runSuites() : await runPlanted(values.plant)
await removeTemplate()
process.exit(isMissed ? 1 : 0)

async function runSuites(): Promise<boolean> {
  let anyMissed = false
  for (const name of positionals.length > 0 ? positionals : Object.keys(suites)) {
    const suite = suites[name]
    if (suite === undefined) throw new Error(`There is no suite ${name}: ${Object.keys(suites).join(', ')}.`)
    console.log(`\n== ${suite.title} (scale ${order.scale}, seed ${order.seed})`)
    const startedAt = performance.now()
    const figures = await suite.run(order)
    const seconds = (performance.now() - startedAt) / 1000
    print(figures)
    writeReport('nightly', {
      name,
      title: suite.title,
      facts: [
        `\`npm run nightly -- ${name}\``,
        values.machine,
        `scale ${order.scale}, seed ${order.seed}, ${Math.round(seconds)} s`,
      ],
      notes: [],
      figures,
    })
    anyMissed ||= figures.some(({ isMet }) => !isMet)
  }
  return anyMissed
}

/** The suite with its fault: red is what one wants to see, and the exit code says it as always. */
async function runPlanted(plant: string): Promise<boolean> {
  const control = controls[plant]
  if (control === undefined)
    throw new Error(`There is no fault ${plant}: ${Object.keys(controls).join(', ')}.`)
  console.log(`\n== Planted: ${control.fault} (seed ${order.seed})`)
  const figures = await control.run(order.seed)
  print(figures)
  return figures.some(({ isMet }) => !isMet)
}

function print(figures: readonly Figure[]): void {
  for (const { what, value, line, isMet } of figures)
    console.log(`${isMet ? '  ' : 'RED'} ${what}: ${value}${line === undefined ? '' : ` (line ${line})`}`)
}
