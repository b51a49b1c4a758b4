/**
 * The readers of the bank test. While the writers write, each reader checks that the sums within one database snapshot
 * agree. Over HTTP, a reader compares one customer's balance with the sums of that customer's journal, and adds up the
 * balances of the customers who only transfer money to each other. On PostgreSQL, a reader also compares the balances,
 * journals and transaction lists of all customers at once, and checks that no transfer has changed the sum of all
 * balances.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from '#server/database/database.ts'
import { callRunningServer } from '#server/operator/socket.ts'
import type { BankPlace } from './target.ts'
import type { Traffic } from './traffic.ts'
import { openingBalance } from './transfers.ts'
import type { Random } from '#nightly/fixtures/random.ts'

/**
 * Number of snapshots of one customer, number of snapshots of a sum over many customers, and descriptions of the
 * snapshots that did not balance.
 */
export type SnapshotCount = { snapshots: number; sums: number; unbalanced: string[] }

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
    await readSavers(place, traffic, counted)
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

/** Compares the sum of the savers' balances with the sum of their opening balances. */
export async function readSavers(
  place: BankPlace,
  { wire, savers, surprises }: Traffic,
  counted: SnapshotCount,
): Promise<void> {
  const ids = savers.map(({ id }) => id).join()
  const path = `budgets?select=balance&user_id=in.(${ids})`
  const answer = await wire.restAsService(await place.server.serviceRoleKey(), path)
  if (answer?.status !== 200) {
    if (![undefined, 502, 503, 504].includes(answer?.status))
      surprises.push(`${answer?.status} ${JSON.stringify(answer?.body)}`)
    return
  }
  const balances = (answer.body as { balance: number }[]).map(({ balance }) => Math.round(balance * 100))
  const sum = balances.reduce((total, balance) => total + balance, 0)
  counted.sums += 1
  if (balances.length !== savers.length || sum !== savers.length * Number(openingBalance) * 100)
    counted.unbalanced.push(`the savers have ${sum / 100}: ${balances.join()}`)
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
    const [sum] = await owner.query(sql<{ is_constant: boolean; half: string | null }>`
      with transferred as (
        select r.id, sum(j.delta) as net
        from ledger.journal j
        left join public.corrections c on c.user_id = j.user_id and c.id = j.transaction_id
        join public.requests r on r.id = coalesce(c.corrected_id, j.transaction_id)
        group by r.id
      )
      select
        -- The sum of all balances is the sum of the postings that do not belong to a transfer.
        (select sum(b.balance) from public.budgets b) = (select sum(j.delta) from ledger.journal j)
          - (select coalesce(sum(t.net), 0) from transferred t) as is_constant,
        (select string_agg(t.id::text, ', ') from transferred t where t.net <> 0) as half`)
    counted.sums += 1
    if (sum?.is_constant !== true || sum.half !== null)
      counted.unbalanced.push(`the sum of the bank, transfers with one side: ${sum?.half}`)
  } finally {
    await close()
  }
}
