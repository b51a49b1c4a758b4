/**
 * The table of the proofs: the long-running tests by name, in the order in which they run. A suite of vitest or
 * Playwright is a proof too.
 */
import { type Metric, metricWithoutThreshold } from '#testing/report.ts'
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
import { runSuite, runTaggedPages } from './suites.ts'

export type Proof = {
  readonly title: string
  /** The size of a run is its full size times `scale`. A run with the same seed makes the same random choices. */
  run(options: { readonly scale: number; readonly seed: number }): Promise<readonly Metric[]>
}

/** Multiplies a count by the scale and returns at least one. */
const sized = (full: number, scale: number) => Math.max(1, Math.round(full * scale))

const onBoth = async (run: (engine: Engine) => Promise<readonly Metric[]>) => [
  ...(await run('embedded')),
  ...(await run('PostgreSQL')),
]

export const proofs = {
  process: {
    title: 'Servers and commands as programs: faults, proxies, poolers, several servers',
    run: ({ scale }) => runSuite({ project: 'nightly', files: ['nightly/process/'], scale }),
  },
  browsers: {
    title: 'A customer’s main steps in Firefox and WebKit',
    run: ({ scale }) => runSuite({ project: 'nightly', files: ['nightly/browsers.test.ts'], scale }),
  },
  pages: { title: 'The browser tests tagged @nightly', run: runTaggedPages },
  files: {
    title: 'Random files of the import, and files as banks write them',
    run: async ({ scale }) => [
      ...(await runSuite({ project: 'files', files: [], scale })),
      ...(await runSuite({ project: 'bank-files', files: [], scale })),
    ],
  },
  engines: {
    title: 'Every test of the database and of the wire on the embedded engine',
    run: ({ scale }) => runSuite({ project: '*:pglite', files: [], scale }),
  },
  policies: {
    title: 'Every weakened policy, and the time of an answer about another customer’s row',
    run: ({ scale }) => runSuite({ project: '*:postgres', files: [], scale }),
  },
  deno: {
    title: 'Every test of the functions under Deno',
    run: ({ scale }) => runSuite({ project: 'wire:deno', files: [], scale }),
  },
  bank: {
    title: 'Bank test under kill -9 and SIGTERM',
    async run({ scale, seed }) {
      const kills = sized(25, scale)
      const metrics: Metric[] = []
      const run = async (target: KilledTarget, writers: number, signal: 'SIGKILL' | 'SIGTERM') => {
        metrics.push(...(await runBank({ target, writers, kills, signal, seed: seed + writers })))
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
    run: ({ seed }) => runFailover({ writers: 16, watchers: 20, seed, by: 'a stub' }),
  },
  patroni: {
    title: 'The same bank, whose database servers Patroni runs',
    run: ({ seed }) => runFailover({ writers: 4, watchers: 5, seed, by: 'Patroni' }),
  },
  scaling: {
    title: 'Load, long and too much',
    run: ({ scale }) => runScaling({ roundSeconds: 4, steadySeconds: sized(1800, scale), rushSeconds: 15 }),
  },
  realtime: {
    title: 'The live connection: from commit to event, hostile subscriptions, idle sockets',
    async run({ scale }) {
      const changes = sized(400, scale)
      const some = sized(200, scale)
      const metrics = await onBoth(async (engine) => [
        ...(await runArrival({ engine, sockets: 1000, unfiltered: 0, changes, perSecond: 20 })),
        ...(await runArrival({ engine, sockets: 100, unfiltered: 100, changes: some, perSecond: 10 })),
        ...(await runHostile({ engine, people: 50, changes: sized(100_000, scale) })),
      ])
      return [...metrics, ...(await runIdle({ sockets: sized(10_000, scale) }))]
    },
  },
  'power-loss': {
    title: 'Power cuts on the embedded engine',
    run: ({ scale, seed }) => runPowerLoss({ writes: sized(1500, scale), images: sized(100, scale), seed }),
  },
  model: {
    title: 'Random sequences against a model',
    run: ({ scale, seed }) =>
      onBoth((engine) => runModel({ engine, operations: sized(50_000, scale), seed })),
  },
  'transfer-races': {
    title: 'Pairs of calls about one transfer',
    run: ({ scale }) => runTransferRaces({ rounds: sized(1000, scale) }),
  },
  tampering: {
    title: 'Tampering with the journal',
    run: ({ scale, seed }) =>
      onBoth((engine) => runTampering({ engine, mutations: sized(500, scale), seed })),
  },
  'disk-full': {
    title: 'Full disk',
    async run({ scale }) {
      const refusal = diskFullRefusal()
      return refusal === null
        ? runDiskFull({ rounds: sized(10, scale) })
        : [metricWithoutThreshold('not run', refusal)]
    },
  },
  backup: {
    title: 'Backup and restore',
    run: ({ scale, seed }) =>
      runBackup({
        rounds: sized(20, scale),
        damages: sized(100, scale),
        transactions: sized(100_000, scale),
        seed,
      }),
  },
  fuzz: {
    title: 'Grammar fuzz of the table API',
    run: ({ scale, seed }) =>
      onBoth((engine) =>
        runFuzz({ engine, requests: sized(100_000, scale), filters: sized(10_000, scale), seed }),
      ),
  },
  schemas: {
    title: 'The table API over random schemas',
    run: ({ scale, seed }) => onBoth((engine) => runSchemas({ engine, schemas: sized(200, scale), seed })),
  },
  'refresh-model': {
    title: 'Sequences of refreshing against a reference',
    run: ({ scale, seed }) =>
      runRefreshModel({ engine: 'PostgreSQL', sequences: sized(10_000, scale), seed }),
  },
  secrets: {
    title: 'Secrets in a copy of the database and in the log',
    run: ({ scale }) => runSecrets({ people: sized(100, scale) }),
  },
} as const satisfies Readonly<Record<string, Proof>>

export type ProofName = keyof typeof proofs
