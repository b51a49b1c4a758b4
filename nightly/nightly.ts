/**
 * `npm run nightly` runs the long-running tests, called proofs, one after the other and reports their metrics.
 * `-- bank power-loss` runs only these two proofs. `--slice NAME` runs a slice of the night (slices.ts), and
 * `--slice auto` the slice that the commit selects. `--scale 0.1` runs every proof at a tenth of its full size, `--seed
 * 7` selects the random choices, and `--machine TEXT` names the machine in the report. The exit code is 1 when a metric
 * misses its threshold, when a proof fails, and when a proof judged nothing. In a slice, the figures that depend on the
 * speed of the machine are shown but not judged.
 */
import { parseArgs } from 'node:util'
import { type Metric, machineName, printMetrics, withoutSpeed, writeReport } from '#testing/report.ts'
import { type Proof, type ProofName, proofs } from './proofs.ts'
import { missedOf } from './missed.ts'
import { sliceOf } from './slices.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slice: { type: 'string' },
    // The figures in docs/ were measured at scale 1.
    scale: { type: 'string', default: '1' },
    // A run with the same seed makes the same random choices.
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    machine: { type: 'string', default: machineName() },
  },
})
const seed = Number(values.seed)
const isSlice = values.slice !== undefined
const missed: string[] = []
const took: [name: string, seconds: number][] = []

for (const { name, scale } of chosenParts()) {
  const proof: Proof = proofs[name]
  const { title } = proof
  console.log(`\n== ${title} (${name}, scale ${scale}, seed ${seed})`)
  const startedAt = performance.now()
  let metrics: readonly Metric[] = []
  try {
    const measured = await proof.run({ scale, seed })
    metrics = isSlice ? withoutSpeed(measured) : measured
    missed.push(...missedOf(metrics).map((one) => `${name}: ${one}`))
  } catch (error) {
    // A proof that fails counts as a missed threshold, and the other proofs still run.
    console.error(error)
    missed.push(`${name}: it failed`)
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  took.push([name, seconds])
  if (isSlice) printMetrics(metrics)
  else
    writeReport('nightly', {
      name,
      title,
      facts: [`\`npm run nightly -- ${name}\``, values.machine, `scale ${scale}, seed ${seed}, ${seconds} s`],
      notes: [],
      metrics,
    })
}
const whole = took.reduce((sum, [, seconds]) => sum + seconds, 0)
console.log(`\n${took.map(([name, seconds]) => `${name} ${seconds}`).join(', ')}: ${whole} s in all`)
if (missed.length > 0) console.log(`\nBelow the line:\n  ${missed.join('\n  ')}`)
process.exit(missed.length > 0 ? 1 : 0)

function chosenParts(): readonly { name: ProofName; scale: number }[] {
  if (values.slice !== undefined) {
    const { name, parts } = sliceOf(values.slice)
    console.log(`The slice ${name}: ${parts.map(({ proof, scale }) => `${proof} at ${scale}`).join(', ')}`)
    return parts.map(({ proof, scale }) => ({ name: proof, scale }))
  }
  const names = positionals.length > 0 ? positionals : Object.keys(proofs)
  const unknown = names.find((name) => !(name in proofs))
  if (unknown !== undefined)
    throw new Error(`The proof ${unknown} does not exist: ${Object.keys(proofs).join(', ')}.`)
  return names.map((name) => ({ name: name as ProofName, scale: Number(values.scale) }))
}
