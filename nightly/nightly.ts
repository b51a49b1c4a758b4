/**
 * `npm run nightly` runs the tests that the gate leaves out. It then runs the long-running tests, called proofs, one
 * after the other and reports their metrics. `-- bank power-loss` runs only these two proofs. `--scale 0.1` runs every
 * proof at a tenth of its full size, `--seed 7` selects the random choices, and `--machine TEXT` names the machine in
 * the report. The exit code is 1 when a metric misses its threshold.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Metric, metricWithoutThreshold, machineName, writeReport } from '#testing/report.ts'
import { findTestBrowser } from '#tools/set-up/browser.mjs'
import { runBank } from '#nightly/bank/bank.ts'
import type { KilledTarget } from '#nightly/bank/target.ts'
import { runFailover } from '#nightly/cluster/failover.ts'
import type { Engine } from '#nightly/fixtures/servers.ts'
import { runRefreshModel } from '#nightly/people/refresh-model.ts'
import { runSecrets } from '#nightly/people/secrets.ts'
import { runBackup } from '#nightly/ledger/backup.ts'
import { diskFullRefusal, runDiskFull } from '#nightly/ledger/disk-full.ts'
import { runModel } from '#nightly/ledger/model.ts'
import { runTampering } from '#nightly/ledger/tampering.ts'
import { runTransferRaces } from '#nightly/ledger/transfer-races.ts'
import { runPowerLoss } from '#nightly/power-loss/power-loss.ts'
import { runArrival, runHostile, runIdle } from '#nightly/realtime/realtime.ts'
import { runFuzz } from '#nightly/rest/fuzz.ts'
import { runSchemas } from '#nightly/rest/schemas.ts'
import { runScaling } from './scaling.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // The figures in docs/ were measured at scale 1.
    scale: { type: 'string', default: '1' },
    // A run with the same seed makes the same random choices.
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    machine: { type: 'string', default: machineName() },
  },
})
const [scale, seed] = [Number(values.scale), Number(values.seed)]
/** Multiplies a count by the scale and returns at least one. */
const sized = (full: number) => Math.max(1, Math.round(full * scale))

const onBoth = async (run: (engine: Engine) => Promise<readonly Metric[]>) => [
  ...(await run('embedded')),
  ...(await run('PostgreSQL')),
]
type Proof = { readonly title: string; run(): Promise<readonly Metric[]> }

/** The proofs by name, in the order in which they run. */
const proofs: Readonly<Record<string, Proof>> = {
  bank: {
    title: 'Bank test under kill -9 and SIGTERM',
    async run() {
      const metrics: Metric[] = []
      const run = async (target: KilledTarget, writers: number, signal: 'SIGKILL' | 'SIGTERM') => {
        metrics.push(...(await runBank({ target, writers, kills: sized(25), signal, seed: seed + writers })))
      }
      for (const target of ['the server, embedded', 'the server, PostgreSQL', 'PostgreSQL'] as const) {
        for (const writers of [16, 64]) await run(target, writers, 'SIGKILL')
        if (target !== 'PostgreSQL') await run(target, 16, 'SIGTERM')
      }
      return metrics
    },
  },
  cluster: {
    title: 'Two servers, a pooler and a replica behind a proxy',
    run: () => runFailover({ writers: 16, watchers: 20, seed }),
  },
  scaling: {
    title: 'Load, long and too much',
    run: () => runScaling({ roundSeconds: 4, steadySeconds: sized(1800), rushSeconds: 15 }),
  },
  realtime: {
    title: 'The live connection: from commit to event, hostile subscriptions, idle sockets',
    async run() {
      const changes = sized(400)
      const metrics = await onBoth(async (engine) => [
        ...(await runArrival({ engine, sockets: 1000, unfiltered: 0, changes, perSecond: 20 })),
        ...(await runArrival({ engine, sockets: 100, unfiltered: 100, changes: changes / 2, perSecond: 10 })),
        ...(await runHostile({ engine, people: 50, changes: sized(100_000) })),
      ])
      return [...metrics, ...(await runIdle({ sockets: sized(10_000) }))]
    },
  },
  'power-loss': {
    title: 'Power cuts on the embedded engine',
    run: () => runPowerLoss({ writes: sized(1500), images: sized(100), seed }),
  },
  model: {
    title: 'Random sequences against a model',
    run: () => onBoth((engine) => runModel({ engine, operations: sized(50_000), seed })),
  },
  'transfer-races': {
    title: 'Pairs of calls about one transfer',
    run: () => runTransferRaces({ rounds: sized(1000) }),
  },
  tampering: {
    title: 'Tampering with the journal',
    run: () => onBoth((engine) => runTampering({ engine, mutations: sized(500), seed })),
  },
  'disk-full': {
    title: 'Full disk',
    async run() {
      const refusal = diskFullRefusal()
      return refusal === null
        ? runDiskFull({ rounds: sized(10) })
        : [metricWithoutThreshold('not run', refusal)]
    },
  },
  backup: {
    title: 'Backup and restore',
    run: () => runBackup({ rounds: sized(20), damages: sized(100), transactions: sized(100_000), seed }),
  },
  fuzz: {
    title: 'Grammar fuzz of the table API',
    run: () =>
      onBoth((engine) => runFuzz({ engine, requests: sized(100_000), filters: sized(10_000), seed })),
  },
  schemas: {
    title: 'The table API over random schemas',
    run: () => onBoth((engine) => runSchemas({ engine, schemas: sized(200), seed })),
  },
  'refresh-model': {
    title: 'Sequences of refreshing against a reference',
    run: () => runRefreshModel({ engine: 'PostgreSQL', sequences: sized(10_000), seed }),
  },
  secrets: {
    title: 'Secrets in a copy of the database and in the log',
    run: () => runSecrets({ people: sized(100) }),
  },
}

let isMissed = positionals.length === 0 && !(await runTests())
for (const name of positionals.length > 0 ? positionals : Object.keys(proofs)) {
  const proof = proofs[name]
  if (proof === undefined)
    throw new Error(`The proof ${name} does not exist: ${Object.keys(proofs).join(', ')}.`)
  console.log(`\n== ${proof.title} (scale ${scale}, seed ${seed})`)
  const startedAt = performance.now()
  const metrics = await proof.run()
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  writeReport('nightly', {
    name,
    title: proof.title,
    facts: [`\`npm run nightly -- ${name}\``, values.machine, `scale ${scale}, seed ${seed}, ${seconds} s`],
    notes: [],
    metrics,
  })
  isMissed ||= metrics.some(({ passed }) => !passed)
}
process.exit(isMissed ? 1 : 0)

/** Runs the tests of vitest.nightly.config.ts and the browser tests tagged @nightly. Both need a build of the page. */
async function runTests(): Promise<boolean> {
  const executablePath = await findTestBrowser()
  const env = {
    ...process.env,
    E2E_NIGHTLY: '1',
    ...(executablePath === undefined ? {} : { CHROMIUM_PATH: executablePath }),
  }
  const commands = [
    ['vite', 'build', 'web'],
    ['vitest', 'run', '-c', 'vitest.nightly.config.ts'],
    ['playwright', 'test', '-c', 'tests/e2e/playwright.config.ts'],
  ]
  return commands
    .map(([program = '', ...args]) => spawnSync(program, args, { stdio: 'inherit', env }).status === 0)
    .every(Boolean)
}
