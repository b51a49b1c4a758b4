/**
 * Backup and restore (security.md BK-02, BK-03). Random banks are backed up, restored and compared in full, both on the
 * same engine and across engines. Damaged copies of a backup must be refused before the restore writes anything. The
 * backup and the restore of large banks are timed.
 */
import { rm } from 'node:fs/promises'
import type { BackupSource } from '#server/backup/backups.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { type Owner, sql } from '#server/database/database.ts'
import { type Banks, backUp, banksOn, restoreDamaged, roundTrip } from '#tests/database/banks.ts'
import { fillRandomly } from '#tests/database/random-bank.ts'
import { startCluster } from '#testing/cluster.ts'
import { type Metric, atMost, counted, grouped, metricWithoutThreshold, none } from '#testing/report.ts'

/**
 * Runs `rounds` rounds and tries `damages` damaged copies of a backup. Then measures how long the backup and the
 * restore of a bank with `transactions` transactions take on each engine.
 */
export async function runBackup(options: {
  rounds: number
  damages: number
  transactions: number
  seed: number
}): Promise<Metric[]> {
  const { rounds, damages, transactions, seed } = options
  const cluster = await startCluster({ isDurable: true })
  const [embedded, postgres] = [await banksOn(null), await banksOn(cluster)]
  const ways: readonly [Banks, Banks][] = [
    [embedded, embedded],
    [postgres, postgres],
    [embedded, postgres],
    [postgres, embedded],
  ]
  try {
    const differing: string[] = []
    let compared = 0
    for (let round = 0; round < rounds; round += 1) {
      const [from, to] = ways[round % ways.length] ?? [embedded, embedded]
      const trip = await roundTrip(from, to, seed + round)
      compared += trip.rows
      for (const part of trip.differing)
        differing.push(`${from.engine} to ${to.engine}, seed ${seed + round}: ${part}`)
    }
    const accepted = await damage(embedded, damages, seed)
    for (const sentence of differing.slice(0, 5)) console.error(sentence)
    return [
      counted('banks saved, restored and compared', rounds, rounds),
      counted('rows compared', compared),
      none('parts that differ', differing),
      counted('damaged copies of a backup', damages, damages),
      none('damaged copies that were not refused', accepted),
      ...(await time(postgres, transactions)),
      ...(await time(embedded, transactions)),
    ]
  } finally {
    await embedded.removeAll()
    await postgres.removeAll()
    await cluster.stop()
  }
}

/** Measures how long the backup and the restore of a bank with `transactions` transactions take. */
async function time(banks: Banks, transactions: number): Promise<Metric[]> {
  const bank = await banks.newBank()
  await fillEvenly(bank.owner, transactions)
  let waiting = 0
  const { source } = bank
  const timed: BackupSource =
    source.engine === 'postgres' || source.copyTo === null
      ? source
      : { ...source, copyTo: async (copy) => void (waiting = await seconds(() => source.copyTo?.(copy))) }
  const { file, rows, bytes, seconds: backup } = await backUp(banks, timed)
  await bank.close()
  const target = await banks.emptyTarget()
  const restore = await seconds(() => restoreBackup(target, file, { signedBy: null }))
  await rm(file)
  const what = `${grouped(rows)} rows on ${banks.engine}`
  // BK-02 allows one minute per 100,000 rows. Smaller banks also get a full minute, because the engine takes the same
  // time to start for any bank.
  const limit = Math.max(60, (rows / 100_000) * 60)
  return [
    atMost(`${what}: backup (${grouped(Math.round(bytes / 1024))} KB)`, backup, limit, 's'),
    atMost(`${what}: restore, compared and verified`, restore, limit, 's'),
    ...(banks.engine === 'pglite'
      ? [metricWithoutThreshold(`${what}: requests wait for the copy`, `${waiting.toFixed(2)} s`)]
      : []),
  ]
}

async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** Fills an empty bank with a hundred customers and with `transactions` expenses, which are posted one by one. */
async function fillEvenly(owner: Owner, transactions: number): Promise<void> {
  const customers = 100
  await owner.query(sql`
    insert into auth.users (email) select 'customer' || n || '@banco.example' from generate_series(1, ${customers}::integer) n`)
  for (let left = transactions; left > 0; left -= 5000) {
    await owner.query(sql`
      insert into public.transactions (user_id, type, description, amount, category)
      select id, 'expense', 'Mercado de la semana ' || n, 12.34, 'Comida'
      from (select id, row_number() over (order by id) - 1 as place from auth.users) u
      join generate_series(1, ${Math.min(left, 5000)}::integer) n on n % ${customers}::integer = place`)
  }
}

async function damage(banks: Banks, count: number, seed: number): Promise<number[]> {
  const bank = await banks.newBank()
  await fillRandomly(bank.owner, seed)
  const { file } = await backUp(banks, bank.source)
  await bank.close()
  const accepted = await restoreDamaged(banks, file, { count, seed })
  await rm(file)
  return accepted
}
