/** Every suite of `npm run nightly`, with the sizes that it has at scale 1. */
import { runAdministrators } from './ledger/administrators.ts'
import { runBackup } from './ledger/backup.ts'
import type { KilledTarget } from './bank/place.ts'
import { runBank } from './bank/bank.ts'
import { runClock } from './ledger/clock.ts'
import { runControls } from './controls.ts'
import { runCost } from './ledger/cost.ts'
import { diskFullRefusal, runDiskFull } from './ledger/disk-full.ts'
import { runDoublePosts } from './ledger/double-posts.ts'
import { type Figure, atLeast, known, onBoth } from './report/figure.ts'
import { runFuzz } from './rest/fuzz.ts'
import { identitySuites } from './identity/identity.ts'
import { runInterleaving } from './rest/interleaving.ts'
import { runModel } from './ledger/model.ts'
import { type Suites, sized } from './report/order.ts'
import { runPowerLoss } from './power-loss/power-loss.ts'
import { runArrival, runHostile, runIdle } from './realtime/realtime.ts'
import { runRig } from './rig/rig.ts'
import { runScaling } from './scaling/scaling.ts'
import { runTampering } from './ledger/tampering.ts'

const targets: readonly KilledTarget[] = ['the server, embedded', 'the server, PostgreSQL', 'PostgreSQL']

/** In the order in which they are run. */
export const suites: Suites = {
  bank: {
    title: 'Bank test under kill -9',
    async run({ scale, seed }) {
      const figures: Figure[] = []
      for (const target of targets)
        for (const writers of [16, 64])
          figures.push(
            ...(await runBank({
              target,
              writers,
              kills: sized(25, scale),
              signal: 'SIGKILL',
              seed: seed + writers,
            })),
          )
      const snapshots = figures
        .filter(({ what }) => what === 'snapshots read')
        .reduce((sum, { value }) => sum + Number(value.replaceAll(',', '')), 0)
      return [...figures, atLeast('snapshots read, all runs', snapshots, sized(10_000, scale))]
    },
  },
  sigterm: {
    title: 'SIGTERM under load',
    async run({ scale, seed }) {
      const run = (target: KilledTarget) =>
        runBank({ target, writers: 16, kills: sized(25, scale), signal: 'SIGTERM', seed })
      return [...(await run('the server, embedded')), ...(await run('the server, PostgreSQL'))]
    },
  },
  rig: {
    title: 'Two servers, a pooler and a replica behind a proxy',
    run: ({ seed }) => runRig({ writers: 16, watchers: 20, seed, hasBrowser: true }),
  },
  scaling: {
    title: 'Load on one, two and four servers',
    run: ({ scale }) =>
      runScaling({ rounds: 3, roundSeconds: 4, steadySeconds: sized(1800, scale), rushSeconds: 15 }),
  },
  realtime: {
    title: 'The live connection: from commit to event',
    run: ({ scale }) =>
      onBoth(async (engine) => {
        const changes = sized(400, scale)
        return [
          ...(await runArrival({ engine, sockets: 1000, strangers: 0, changes, perSecond: 20 })),
          ...(await runArrival({
            engine,
            sockets: 100,
            strangers: 100,
            changes: changes / 2,
            perSecond: 10,
          })),
        ]
      }),
  },
  'realtime-hostile': {
    title: 'The live connection: hostile subscriptions, idle sockets',
    async run({ scale }) {
      const changes = sized(100_000, scale)
      const figures = await onBoth((engine) => runHostile({ engine, people: 50, changes }))
      return [...figures, ...(await runIdle({ sockets: sized(10_000, scale) }))]
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
  administrators: {
    title: 'Two administrators demote each other',
    run: ({ scale }) => onBoth((engine) => runAdministrators({ engine, rounds: sized(300, scale) })),
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
  clock: { title: 'Jumps of the clock', run: () => runClock() },
  cost: {
    title: 'What the ledger costs',
    run: ({ scale }) =>
      onBoth((engine) => runCost({ engine, rounds: 3, seconds: 3 * scale, entries: sized(100_000, scale) })),
  },
  fuzz: {
    title: 'Grammar fuzz of the table API',
    run: ({ scale, seed }) =>
      onBoth((engine) =>
        runFuzz({ engine, requests: sized(100_000, scale), filters: sized(10_000, scale), seed }),
      ),
  },
  interleaving: {
    title: 'Requests of 50 customers interleaved',
    run: ({ scale, seed }) =>
      onBoth((engine) => runInterleaving({ engine, customers: 50, requests: sized(100_000, scale), seed })),
  },
  ...identitySuites,
  controls: { title: 'The same suites with a fault planted', run: ({ seed }) => runControls(seed) },
}
