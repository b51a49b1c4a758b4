/** Every proof of `npm run nightly`, with the sizes that it has at scale 1. */
import { runBank } from './bank/bank.ts'
import type { KilledTarget } from './bank/target.ts'
import { runFailover } from './cluster/failover.ts'
import { runRefreshModel } from './identity/refresh-model.ts'
import { runSecrets } from './identity/secrets.ts'
import { runBackup } from './ledger/backup.ts'
import { diskFullRefusal, runDiskFull } from './ledger/disk-full.ts'
import { runDoublePosts } from './ledger/double-posts.ts'
import { runModel } from './ledger/model.ts'
import { runTampering } from './ledger/tampering.ts'
import { type Metric, known, onBoth } from './metric.ts'
import { runPowerLoss } from './power-loss/power-loss.ts'
import { runArrival, runHostile, runIdle } from './realtime/realtime.ts'
import { runFuzz } from './rest/fuzz.ts'
import { runScaling } from './scaling.ts'

/** 1 is what the report is measured at; a seed repeats the choices of a run. */
export type Size = { readonly scale: number; readonly seed: number }

const targets: readonly KilledTarget[] = ['the server, embedded', 'the server, PostgreSQL', 'PostgreSQL']

/** Name → title, and the run that answers its metrics; in the order in which they are run. */
export const proofs: Readonly<
  Record<string, { readonly title: string; run(size: Size): Promise<readonly Metric[]> }>
> = {
  bank: {
    title: 'Bank test under kill -9 and SIGTERM',
    async run({ scale, seed }) {
      const metrics: Metric[] = []
      const run = async (target: KilledTarget, writers: number, signal: 'SIGKILL' | 'SIGTERM') => {
        const kills = sized(25, scale)
        metrics.push(...(await runBank({ target, writers, kills, signal, seed: seed + writers })))
      }
      for (const target of targets) for (const writers of [16, 64]) await run(target, writers, 'SIGKILL')
      for (const target of targets.slice(0, 2)) await run(target, 16, 'SIGTERM')
      return metrics
    },
  },
  cluster: {
    title: 'Two servers, a pooler and a replica behind a proxy',
    run: ({ seed }) => runFailover({ writers: 16, watchers: 20, seed, hasBrowser: true }),
  },
  scaling: {
    title: 'Load, long and too much',
    run: ({ scale }) => runScaling({ roundSeconds: 4, steadySeconds: sized(1800, scale), rushSeconds: 15 }),
  },
  realtime: {
    title: 'The live connection: from commit to event, hostile subscriptions, idle sockets',
    async run({ scale }) {
      const changes = sized(400, scale)
      const metrics = await onBoth(async (engine) => [
        ...(await runArrival({ engine, sockets: 1000, unfiltered: 0, changes, perSecond: 20 })),
        ...(await runArrival({ engine, sockets: 100, unfiltered: 100, changes: changes / 2, perSecond: 10 })),
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
  'double-posts': {
    title: 'Deposits sent more than once',
    run: ({ scale, seed }) => onBoth((engine) => runDoublePosts({ engine, keys: sized(5000, scale), seed })),
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
      return refusal === null ? runDiskFull({ rounds: sized(10, scale) }) : [known('not run', refusal)]
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
  'refresh-model': {
    title: 'Sequences of refreshing against a reference',
    run: ({ scale }) => runRefreshModel({ engine: 'PostgreSQL', sequences: sized(10_000, scale) }),
  },
  secrets: {
    title: 'Secrets in a copy of the database and in the log',
    run: ({ scale }) => runSecrets({ people: sized(100, scale) }),
  },
}

/** So many at scale 1, never none. */
function sized(full: number, scale: number): number {
  return Math.max(1, Math.round(full * scale))
}
