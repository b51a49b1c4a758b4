/**
 * Backup and restore (security.md BK-02, BK-03): random banks saved, restored and compared in full, on each engine and
 * from one to the other, and damaged copies of a backup, each of which must be refused before anything is written;
 * and how long a bank of many rows takes.
 */
import { rm } from 'node:fs/promises'
import { type Places, embeddedPlaces, postgresPlaces } from '#tests/database/bank-places.ts'
import { backUp, restoreDamaged, roundTrip, timeRoundTrip } from '#tests/database/backup-rounds.ts'
import { fillRandomly } from '#tests/database/random-bank.ts'
import { startCluster } from '#testing/cluster.ts'
import { type Metric, atLeast, atMost, grouped, known, none } from '#testing/report.ts'

/** Makes so many rounds, damages so many copies, and times a bank of so many transactions on each engine. */
export async function runBackup(options: {
  rounds: number
  damages: number
  transactions: number
  seed: number
}): Promise<Metric[]> {
  const { rounds, damages, transactions, seed } = options
  const cluster = await startCluster({ isDurable: true })
  const [embedded, postgres] = [await embeddedPlaces(), await postgresPlaces(cluster.ownerUrl)]
  const ways: readonly [Places, Places][] = [
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
      atLeast('banks saved, restored and compared', rounds, rounds),
      none(`parts that differ, of ${grouped(compared)} rows`, differing),
      atLeast('damaged copies of a backup', damages, damages),
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

async function time(places: Places, transactions: number): Promise<Metric[]> {
  const { rows, bytes, backup, waiting, restore } = await timeRoundTrip(places, places, transactions)
  const what = `${grouped(rows)} rows on ${places.engine}`
  // BK-02 allows a minute for 100,000 rows, and starting the engine takes its time whatever the rows.
  const limit = Math.max(60, (rows / 100_000) * 60)
  return [
    atMost(`${what}: backup (${grouped(Math.round(bytes / 1024))} KB)`, backup, limit, 's'),
    atMost(`${what}: restore, compared and verified`, restore, limit, 's'),
    ...(places.engine === 'pglite'
      ? [known(`${what}: requests wait for the copy`, `${waiting.toFixed(2)} s`)]
      : []),
  ]
}

async function damage(places: Places, count: number, seed: number): Promise<number[]> {
  const bank = await places.newBank()
  await fillRandomly(bank.owner, seed)
  const { file } = await backUp(places, bank.source)
  await bank.close()
  const accepted = await restoreDamaged(places, file, { count, seed })
  await rm(file)
  return accepted
}
