/**
 * The readers of the bank test. While the writers write, each reader checks that the sums within one database snapshot
 * agree. Over HTTP, a reader compares one customer's balance with the sums of that customer's journal. On PostgreSQL, a
 * reader also compares the balances, journals and transaction lists of all customers at once.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from '#server/database/database.ts'
import { callRunningServer } from '#server/operator/socket.ts'
import type { BankPlace } from './target.ts'
import type { Traffic } from './writers.ts'
import type { Random } from '#nightly/fixtures/random.ts'

/**
 * Number of snapshots that were read, each covering one customer, and descriptions of the snapshots that did not
 * balance.
 */
export type SnapshotCount = { snapshots: number; unbalanced: string[] }

const pauseMs = 100
/** Number of HTTP reads between two checks of the whole bank. */
const readsPerVerification = 5

/** Reads snapshots until the end of the run. */
export async function readSnapshots(
  place: BankPlace,
  traffic: Traffic,
  counted: SnapshotCount,
  random: Random,
): Promise<void> {
  while (!traffic.end.aborted) {
    for (let read = 0; read < readsPerVerification && !traffic.end.aborted; read += 1)
      await readOwn(traffic, counted, random)
    try {
      if (place.target === 'the server, embedded') await verifyInside(place, counted)
      else await readEverybody(place, counted)
    } catch {
      // The server or the database was killed during the read.
      await setTimeout(pauseMs)
    }
  }
}

type Explanation = {
  balance: number
  opening: number
  deposits: number
  expenses: number
  corrections: number
}

async function readOwn(traffic: Traffic, counted: SnapshotCount, random: Random): Promise<void> {
  const customer = random.one(traffic.customers)
  const answer = await traffic.wire.rest(customer, 'rpc/explain_balance', {})
  if (answer?.status !== 200) {
    await setTimeout(pauseMs)
    return
  }
  const { balance, opening, deposits, expenses, corrections } = answer.body as Explanation
  const minor = (value: number) => Math.round(value * 100)
  counted.snapshots += 1
  if (minor(balance) !== minor(opening) + minor(deposits) + minor(expenses) + minor(corrections))
    counted.unbalanced.push(`${customer.id} ${JSON.stringify(answer.body)}`)
}

async function verifyInside({ directory }: BankPlace, counted: SnapshotCount): Promise<void> {
  const asked = await callRunningServer(directory, 'verify-ledger', null)
  const { customers, broken } = (asked?.answer ?? {}) as { customers?: number; broken?: unknown }
  counted.snapshots += customers ?? 0
  if (broken !== null && broken !== undefined) counted.unbalanced.push(JSON.stringify(broken))
}

async function readEverybody(place: BankPlace, counted: SnapshotCount): Promise<void> {
  const { owner, close } = await place.open()
  try {
    const rows = await owner.query(sql<{ user_id: string; is_balanced: boolean }>`
      with postings as (
        select j.user_id, j.transaction_id, sum(j.delta) as net from ledger.journal j group by 1, 2
      ),
      listed as (
        select t.user_id, t.id, case t.type when 'deposit' then t.amount else -t.amount end as signed
        from public.transactions t
      )
      select b.user_id,
        b.balance = coalesce((select sum(p.net) from postings p where p.user_id = b.user_id), 0)
        and b.balance = coalesce((
          select j.balance_after from ledger.journal j where j.user_id = b.user_id order by j.seq desc limit 1), 0)
        -- The list, with what the bank recorded and the customer took out of it counted back in.
        and b.balance = coalesce((select sum(l.signed) from listed l where l.user_id = b.user_id), 0)
          + coalesce((
            select sum(p.net) from postings p
            where p.user_id = b.user_id
              and not exists (select from listed l where l.user_id = p.user_id and l.id = p.transaction_id)), 0)
        as is_balanced
      from public.budgets b`)
    counted.snapshots += rows.length
    for (const { user_id, is_balanced } of rows) if (!is_balanced) counted.unbalanced.push(user_id)
  } finally {
    await close()
  }
}
