/**
 * `npm run nightly`: the tests that the gate leaves out, then the long proofs, one after the other, each with its metrics. `-- bank power-loss`
 * runs those only, `--scale 0.1` a tenth of their sizes, `--seed 7` other choices, `--machine TEXT` names the machine.
 * Exits with 1 when a threshold is missed.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { findBrowser } from '#tools/set-up/browser.mjs'
import { machineName, writeReport } from '#testing/report.ts'
import { proofs } from './proofs.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    machine: { type: 'string', default: machineName() },
  },
})
const size = { scale: Number(values.scale), seed: Number(values.seed) }
let isMissed = positionals.length === 0 && !(await runTests())
for (const name of positionals.length > 0 ? positionals : Object.keys(proofs)) {
  const proof = proofs[name]
  if (proof === undefined) throw new Error(`There is no proof ${name}: ${Object.keys(proofs).join(', ')}.`)
  console.log(`\n== ${proof.title} (scale ${size.scale}, seed ${size.seed})`)
  const startedAt = performance.now()
  const metrics = await proof.run(size)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  for (const { what, value, threshold, passed } of metrics)
    console.log(
      `${passed ? '  ' : 'RED'} ${what}: ${value}${threshold === undefined ? '' : ` (${threshold})`}`,
    )
  writeReport('nightly', {
    name,
    title: proof.title,
    facts: [
      `\`npm run nightly -- ${name}\``,
      values.machine,
      `scale ${size.scale}, seed ${size.seed}, ${seconds} s`,
    ],
    notes: [],
    metrics,
  })
  isMissed ||= metrics.some(({ passed }) => !passed)
}
process.exit(isMissed ? 1 : 0)

/** In vitest.nightly.config.ts, and the browser stories that are tagged @nightly. */
async function runTests(): Promise<boolean> {
  const executablePath = await findBrowser()
  const env = {
    ...process.env,
    E2E_NIGHTLY: '1',
    ...(executablePath === undefined ? {} : { CHROMIUM_PATH: executablePath }),
  }
  const commands = [
    ['vitest', 'run', '-c', 'vitest.nightly.config.ts'],
    ['vite', 'build', 'web'],
    ['playwright', 'test', '-c', 'tests/e2e/playwright.config.ts'],
  ]
  return commands
    .map(([program = '', ...args]) => spawnSync(program, args, { stdio: 'inherit', env }).status === 0)
    .every(Boolean)
}
