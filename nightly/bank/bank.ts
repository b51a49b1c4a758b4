/**
 * The bank test (security.md MO-01). Writers and readers send HTTP requests while the server or its database is killed
 * or stopped again and again. At the end, every acknowledged write must have taken effect exactly once, the sums in
 * every snapshot must have agreed, and every hash chain must be valid.
 */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { check } from './check.ts'
import { type Acknowledgements, openTraffic } from './open-traffic.ts'
import { type CheckResult, History, type Operation } from './history.ts'
import {
  type BankPlace,
  type BankTarget,
  type EndSignal,
  type Ended,
  type KilledTarget,
  openBankPlace,
  severalMachines,
} from './target.ts'
import { readSavers, readSnapshots, type SnapshotCount } from './readers.ts'
import type { Traffic } from './traffic.ts'
import { readTransfers } from './transfer-check.ts'
import { write } from './writers.ts'
import { type Metric, atMost, counted, grouped, metricWithoutThreshold, none } from '#testing/report.ts'
import { randomOf } from '#nightly/fixtures/random.ts'

const readersCount = 2
const killEveryMs = { min: 700, max: 1300 }
/** Time from the restart of the killed process to the first acknowledged write (security.md CR-01 and CR-04). */
const recoveryMaxMs = 5000
/** Time from the signal to the exit of the process (security.md CR-08). */
const endMaxMs = 10_000

export type BankOptions = {
  target: KilledTarget
  writers: number
  kills: number
  /** After SIGTERM the server must exit with code 0 within ten seconds. */
  signal: EndSignal
  seed: number
}

/** Sets up the bank, runs the traffic while processes are killed, and checks the result. */
export async function runBank(options: BankOptions): Promise<Metric[]> {
  const place = await openBankPlace(options.target)
  try {
    return await runBankIn(place, options)
  } finally {
    await place.close()
  }
}

/** Runs the bank test on a bank that the caller sets up and closes. */
export async function runBankIn(
  place: BankPlace,
  options: Omit<BankOptions, 'target'> & { target: BankTarget },
): Promise<Metric[]> {
  const { writers, kills, signal, seed } = options
  const history = new History(join(place.directory, 'history.ndjson'))
  const end = new AbortController()
  try {
    await place.server.start()
    const { traffic, acknowledgements } = await openTraffic(place.server, history, end.signal)
    const opened = history.operations.length
    const read: SnapshotCount = { snapshots: 0, sums: 0, unbalanced: [] }
    const working = [
      ...Array.from({ length: writers }, (_, index) => write(traffic, randomOf(seed * 1000 + index))),
      ...Array.from({ length: readersCount }, (_, index) =>
        readSnapshots(place, traffic, read, randomOf(seed + index)),
      ),
    ]
    const all = Promise.all(working)
    // If a writer fails, the run must end instead of waiting forever.
    all.catch(() => end.abort())
    const ends = await endAgainAndAgain(place, { kills, signal, seed, acknowledgements, traffic })
    end.abort()
    await all
    // On a busy machine, perhaps no reader got an answer during the run.
    await readSavers(place, traffic, read)
    history.close()
    const { code } = await place.server.stop('SIGTERM')
    return [
      ...metricsOf(options, { traffic, opened, read, ends }),
      ...(place.target === severalMachines ? [silenceOf(acknowledgements, place.silenceMaxMs)] : []),
      none('the last server did not end with 0', code === 0 ? 0 : 1),
      ...(await checkEnd(place, history)),
    ]
  } finally {
    end.abort()
  }
}

/**
 * One exit of the tested process: the number of unanswered calls about transfers at that moment, the time until the
 * process was ready again, and the time until the next acknowledged write.
 */
type EndAndRecovery = { ended: Ended | null; readyMs: number; recoveryMs: number; transfersUnderWay: number }

async function endAgainAndAgain(
  place: BankPlace,
  options: {
    kills: number
    signal: EndSignal
    seed: number
    acknowledgements: Acknowledgements
    traffic: Traffic
  },
): Promise<EndAndRecovery[]> {
  const { kills, signal, seed, acknowledgements, traffic } = options
  const { end } = traffic
  const random = randomOf(seed)
  const ends: EndAndRecovery[] = []
  const pause = () => setTimeout(killEveryMs.min + random.integer(killEveryMs.max - killEveryMs.min))
  for (let kill = 0; kill < kills && !end.aborted; kill += 1) {
    await pause()
    const { transfersUnderWay } = traffic
    const ended = await place.end(signal)
    const endedAt = performance.now()
    await place.revive()
    const readyMs = performance.now() - endedAt
    while (acknowledgements.last < endedAt && !end.aborted) await setTimeout(5)
    ends.push({ ended, readyMs, recoveryMs: performance.now() - endedAt, transfersUnderWay })
  }
  await pause()
  return ends
}

function metricsOf(
  { target, writers, kills, signal, seed }: Omit<BankOptions, 'target'> & { target: BankTarget },
  run: { traffic: Traffic; opened: number; read: SnapshotCount; ends: readonly EndAndRecovery[] },
): Metric[] {
  const { traffic, opened, ends } = run
  const { snapshots, sums, unbalanced } = run.read
  const { surprises } = traffic
  // The deposits of the opening balances came before the first kill.
  const operations = traffic.history.operations.slice(opened)
  const count = (outcome: string) => operations.filter((one) => one.outcome === outcome).length
  const recoveries = ends.map(({ recoveryMs }) => recoveryMs).toSorted((one, other) => one - other)
  const ready = Math.max(...ends.map(({ readyMs }) => readyMs))
  for (const surprise of surprises.slice(0, 5)) console.error(surprise)
  for (const one of unbalanced.slice(0, 5)) console.error(`unbalanced: ${one}`)
  return [
    metricWithoutThreshold('run', `${writers} writers, ${signal} to ${target}, seed ${seed}`),
    counted('ends under load', ends.length, kills),
    metricWithoutThreshold(
      'of which with transfers under way',
      ends.filter(({ transfersUnderWay }) => transfersUnderWay > 0).length,
    ),
    counted('operations acknowledged', count('ok')),
    counted('of which about transfers', operations.filter(isAcknowledgedTransfer).length),
    metricWithoutThreshold(
      'operations refused, never answered',
      `${grouped(count('fail'))}, ${grouped(count('info'))}`,
    ),
    ...(signal === 'SIGTERM' ? orderlyEnds(ends) : []),
    metricWithoutThreshold(
      'recovery, median',
      `${((recoveries[Math.floor(recoveries.length / 2)] ?? 0) / 1000).toFixed(2)} s`,
    ),
    metricWithoutThreshold('of which until it is ready, longest', `${(ready / 1000).toFixed(2)} s`),
    // Behind a proxy, clients do not wait for the killed server, because the other server answers them.
    ...(target === severalMachines
      ? []
      : [atMost('recovery, longest', (recoveries.at(-1) ?? 0) / 1000, recoveryMaxMs / 1000, 's')]),
    none('answers other than success, 503 or silence', surprises),
    counted('snapshots read', snapshots),
    counted('snapshots of the sum of many customers', sums),
    none('unbalanced snapshots', unbalanced),
  ]
}

const isAcknowledgedTransfer = ({ kind, outcome }: Operation) =>
  outcome === 'ok' && !['deposit', 'expense', 'delete'].includes(kind)

/**
 * Returns the longest time that clients waited for an acknowledgement while one server was down and the other served
 * requests.
 */
function silenceOf({ longestSilenceMs }: Acknowledgements, maxMs = recoveryMaxMs): Metric {
  const what = 'without any acknowledgement, longest'
  return atMost(what, longestSilenceMs / 1000, maxMs / 1000, 's')
}

function orderlyEnds(ends: readonly EndAndRecovery[]): Metric[] {
  return [
    none(
      'ended with another code than 0',
      ends.filter(({ ended }) => ended?.code !== 0),
    ),
    atMost('end, longest', Math.max(...ends.map(({ ended }) => ended?.ms ?? 0)) / 1000, endMaxMs / 1000, 's'),
  ]
}

async function checkEnd(place: BankPlace, history: History): Promise<Metric[]> {
  const { database, owner, close } = await place.open()
  try {
    const transactions = await owner.query(
      sql<{ id: string; description: string }>`select id, description from public.transactions`,
    )
    const postings = await owner.query(sql<{ transaction_id: string; kind: string }>`
      select transaction_id, kind from ledger.journal where transaction_id is not null`)
    const verdict = await verifyLedger(database)
    const transfers = await readTransfers(owner)
    const result = check(history.operations, { transactions, postings, transfers })
    report(result)
    return [
      metricWithoutThreshold('transfers by state', countedBy(transfers.map(({ status }) => status))),
      none('lost acknowledged writes', result.lost),
      none('duplicates', result.duplicates),
      none('rows and postings that no writer sent', result.unexplained),
      counted('entries verified', verdict.entries),
      none('broken chains', verdict.broken === null ? 0 : 1),
    ]
  } finally {
    await close()
  }
}

function countedBy(names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => name)
  return [...groups].map(([name, all]) => `${grouped(all.length)} ${name}`).join(', ')
}

function report(result: CheckResult): void {
  for (const [name, sentences] of Object.entries(result))
    for (const sentence of sentences.slice(0, 5)) console.error(`${name}: ${sentence}`)
}
