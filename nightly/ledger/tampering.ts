/**
 * Tampers with journal entries while triggers are turned off: changes any column of an entry, removes an entry or swaps
 * two entries. Also tampers with one posting of a transfer or with the transfer's request, and then computes the
 * customer's chain anew. The verification must detect each of these changes (security.md MO-06).
 */
import { sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { keepTables, putBack } from '#tests/database/kept-tables.ts'
import type { Bank } from '#tests/database/bank.ts'
import { type Person, deposit, expense, run } from '#tests/database/people.ts'
import { cancel, request, returnTransfer } from '#tests/database/transfers.ts'
import { decide } from '#tests/database/decisions.ts'
import { addHolder, befriend, befriendElsewhere } from '#tests/database/beneficiaries.ts'
import { type Metric, counted, none } from '#testing/report.ts'
import { type Engine, openTransferBank } from '#nightly/fixtures/servers.ts'
import { type Random, randomOf } from '#nightly/fixtures/random.ts'
import { type StoredRequest, rewriteChain, transferTampering } from './transfer-tampering.ts'

const customersCount = 3
const roundsEach = 12
/** Share of the mutations that are about transfers. */
const transferShare = 0.3
/** Tables that are restored after each mutation. */
const tables = [
  'ledger.journal',
  'public.budgets',
  'public.transactions',
  'public.corrections',
  'public.requests',
  'private.clearing_transfers',
]

type Entry = { user_id: string; seq: number }

/**
 * Repeatedly tampers with the intact ledger, runs the verification and restores the ledger. `mutations` is the number
 * of repetitions.
 */
export async function runTampering(options: {
  engine: Engine
  mutations: number
  seed: number
}): Promise<Metric[]> {
  const { engine, mutations, seed } = options
  const random = randomOf(seed)
  const place = await openTransferBank(engine)
  try {
    const { database, owner } = place
    await fill(place)
    // An attacker who can turn off the triggers can drop this check too. The verification must not depend on it.
    await owner.script(`alter table ledger.journal drop constraint journal_origin_is_of_a_transaction`)
    await owner.script(`${rewriteChain} ${keepTables(tables)}`)
    const entries = await owner.query(sql<Entry>`select user_id, seq from ledger.journal order by 1, 2`)
    const requests = await owner.query(
      sql<StoredRequest>`select id, status, payer, payee from public.requests order by asked_at, id`,
    )
    const missed: string[] = []
    for (let count = 0; count < mutations; count += 1) {
      const tampering =
        random.number() < transferShare
          ? transferTampering(random, random.one(requests))
          : tamperingOf(random, random.one(entries), entries)
      await owner.script(`${past} ${tampering}`)
      if ((await verifyLedger(database)).broken === null) missed.push(tampering)
      await owner.script(past + putBack(tables))
    }
    const isIntact = (await verifyLedger(database)).broken === null
    for (const tampering of missed.slice(0, 5)) console.error(`not found: ${tampering}`)
    return [
      counted(`tampered, ${engine}`, mutations, mutations),
      none(`not found, ${engine}`, missed),
      none(`false alarms on the ledger as it was, ${engine}`, isIntact ? 0 : 1),
    ]
  } finally {
    await place.close()
  }
}

/** Turns off triggers and foreign keys until the end of the script. */
const past = `select set_config('session_replication_role', 'replica', true);`

/** Returns SQL that tampers with an entry in a random way. The SQL always changes the journal. */
function tamperingOf(random: Random, { user_id, seq }: Entry, all: readonly Entry[]): string {
  const where = `where user_id = '${user_id}' and seq = ${seq}`
  const set = (change: string) => `update ledger.journal set ${change} ${where};`
  const cents = `${random.one(['', '-'])}${1 + random.integer(500)} * ${random.one(['0.01', '0.001', '1'])}`
  const flip = (column: string) => {
    const bit = random.integer(256)
    return `${column} = set_bit(${column}, ${bit}, 1 - get_bit(${column}, ${bit}))`
  }
  return random.one([
    () => `delete from ledger.journal ${where};`,
    () => exchange(random.one(all.filter((other) => other.user_id === user_id && other.seq !== seq)), seq),
    () => set(`user_id = '${random.uuid()}'`),
    () => set(`seq = ${1000 + random.integer(1000)}`),
    () => set(`kind = case kind when 'restoration' then 'removal' else 'restoration' end`),
    () => set(`transaction_id = '${random.uuid()}'`),
    () => set(`origin = case origin when 'clerk' then 'batch' else 'clerk' end, origin_id = transaction_id`),
    () => set(`origin_id = '${random.uuid()}'`),
    () => set(`transaction_id = case when transaction_id is null then user_id end`),
    () => set(`delta = delta + ${cents}`),
    () => set(`delta = -delta - 1`),
    () => set(`balance_after = balance_after + ${cents}`),
    () => set(`balance_after = 'NaN'`),
    () => set(`actor = '${random.uuid()}'`),
    () => set(`actor = case when actor is null then user_id end`),
    () => set(`recorded_at = recorded_at + interval '${1 + random.integer(1_000_000)} microseconds'`),
    () =>
      set(
        `dated_at = coalesce(dated_at, 'epoch') + interval '${1 + random.integer(1_000_000)} microseconds'`,
      ),
    () => set(`dated_at = '${random.one(['infinity', '-infinity'])}'`),
    () => set(`recorded_at = '${random.one(['infinity', '-infinity'])}'`),
    () => set(flip('previous_hash')),
    () => set(flip('hash')),
    () => set(`hash = ''`),
    () => `${set(`delta = delta + 1`)} ${set('hash = ledger.entry_hash(journal)')}`,
    () =>
      `insert into ledger.journal select user_id, ${seq} + 1000, 'restoration', 'own', null, transaction_id, 0, balance_after, actor,
       dated_at, recorded_at, hash, hash from ledger.journal ${where};`,
  ])()
}

/** Returns SQL that swaps two entries of one customer. */
function exchange({ user_id, seq: other }: Entry, seq: number): string {
  const move = (from: number, to: number) =>
    `update ledger.journal set seq = ${to} where user_id = '${user_id}' and seq = ${from};`
  return `${move(seq, -1)} ${move(other, seq)} ${move(-1, other)}`
}

async function fill(bank: Bank): Promise<void> {
  const { administrator } = bank
  const customers: Person[] = []
  for (let count = 0; count < customersCount; count += 1) {
    const customer = await addHolder(bank, '0')
    customers.push(customer)
    for (let round = 0; round < roundsEach; round += 1) {
      const [registered] = await run(administrator, deposit(customer, `${10 + round}.25`))
      const [recorded] = await run(customer, expense(customer, '3.10'))
      const gone = [registered, recorded][round % 3]
      if (gone !== undefined) await run(customer, sql`delete from public.transactions where id = ${gone.id}`)
    }
  }
  for (const [place, payer] of customers.entries()) {
    const payee = customers[(place + 1) % customersCount]
    if (payee !== undefined) await transfer(bank, payer, await befriend(payer, payee))
    // The first customer's account is closed below. This customer therefore makes no transfer to another bank, because
    // after the closing the transfer would belong to no open account.
    if (place > 0) await transfer(bank, payer, await befriendElsewhere(payer))
  }
  const [first] = customers
  if (first !== undefined) await run(administrator, sql`select private.delete_user(${first.id})`)
}

/** Adds a transfer in each state that the ledger distinguishes. */
async function transfer(bank: Bank, payer: Person, beneficiary: string): Promise<void> {
  const { administrator } = bank
  // A transfer above 100 waits for a decision.
  await run(administrator, deposit(payer, '1000'))
  const asked = async (amount: string) => (await request(payer, beneficiary, amount)).id
  await asked('1.50')
  await asked('2.25')
  await decide(administrator, [await asked('150.75')], true)
  await decide(administrator, [await asked('101')], false)
  await cancel(payer, await asked('102'))
  await returnTransfer(administrator, await asked('3.75'))
  await asked('103')
}
