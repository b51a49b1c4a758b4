/**
 * Customers randomly insert, delete and restore rows and transfer money to each other, and a small model computes the
 * expected results (security.md MO-05). After each operation, the outcome, the balances and the limits of transfers
 * must equal the model's. At the end, every list must equal the list in the model, and the verification of the ledger
 * must succeed.
 */
import { type SqlStatement, sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import type { Bank } from '#tests/database/bank.ts'
import { limitOf } from '#tests/database/counters.ts'
import { type Person, addPerson } from '#tests/database/people.ts'
import { day } from '#tests/database/transfers.ts'
import { clearing } from '#tests/database/clearing.ts'
import { addHolder, befriend, befriendElsewhere } from '#tests/database/beneficiaries.ts'
import { type Metric, counted, grouped, metricWithoutThreshold, none } from '#testing/report.ts'
import { type Engine, openTransferBank } from '#nightly/fixtures/servers.ts'
import { type Random, randomOf } from '#nightly/fixtures/random.ts'
import { settings } from '#tests/database/bank-settings.ts'
import { type Account, type Couple, type Row, type Step, decimal, perform } from './model-step.ts'
import { accountOf, transferRules } from './transfer-limits.ts'
import { transferStep } from './transfer-model.ts'

const couplesCount = 4
/** Maximum length of a list. The test is about many different operations, for which short lists are enough. */
const listMax = 60
/** Share of the operations that are about transfers. */
const transferShare = 0.4

/** The state of a run: the operations so far, and the differences between the bank and the model. */
type Run = {
  readonly bank: Bank
  readonly operations: number
  readonly differences: string[]
  /** The number of operations of each kind and outcome. */
  readonly counts: Map<string, number>
  done: number
}

/**
 * Runs random operations for all couples concurrently. The operations of one couple run one after the other, because
 * the two customers transfer money only to each other.
 */
export async function runModel(options: {
  engine: Engine
  operations: number
  seed: number
}): Promise<Metric[]> {
  const { engine, operations, seed } = options
  const bank = await openTransferBank(engine)
  try {
    // No amount requires the administrator's password again, because an entered password counts for only ten minutes,
    // and the run can take longer.
    await bank.asService(transferRules, settings({ staff_proof_above: 1e15 }))
    const today = await day(bank, 0)
    const run: Run = { bank, operations, differences: [], counts: new Map(), done: 0 }
    const { differences, counts } = run
    const couples = await Promise.all(
      Array.from({ length: couplesCount }, async (_, index) => {
        const couple = await openCouple(bank)
        await live(run, couple, randomOf(seed + index))
        return couple
      }),
    )
    for (const account of couples.flatMap(({ accounts }) => accounts)) await compareList(run, account)
    const { broken, entries } = await verifyLedger(bank.database)
    await compareClearing(run, couples)
    // At midnight the daily limits begin anew in the bank but not in the model. A run during which the day changes is
    // therefore repeated.
    if ((await day(bank, 0)) !== today) return await runModel(options)
    for (const difference of differences.slice(0, 5)) console.error(difference)
    return [
      counted(`operations against the model, ${engine}`, run.done, operations),
      metricWithoutThreshold(
        'of which by outcome',
        [...counts].map(([name, count]) => `${name} ${grouped(count)}`).join(', '),
      ),
      none(`differences, ${engine}`, differences),
      counted(`entries verified at the end, ${engine}`, entries),
      none(`broken chains at the end, ${engine}`, broken === null ? 0 : 1),
    ]
  } finally {
    await bank.close()
  }
}

async function live(run: Run, couple: Couple, random: Random): Promise<void> {
  const { bank, operations, differences, counts } = run
  while (run.done < operations) {
    run.done += 1
    const { what, expected, run: perform, apply } = choose(bank, couple, random)
    const { outcome, id } = await perform()
    if (outcome === expected) await apply(id)
    else differences.push(`${what}: ${outcome}, not ${expected}`)
    const name = `${what}: ${expected}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    for (const account of couple.accounts) {
      const [found, wanted] = [await readAccount(account.person), accountOf(account, couple)]
      if (found !== wanted) differences.push(`${name}: the account is ${found}, not ${wanted}`)
    }
  }
}

function choose(bank: Bank, couple: Couple, random: Random): Step {
  const account = random.one(couple.accounts)
  const { person, live: rows, deleted } = account
  const isFull = couple.accounts.some(({ live: each }) => each.length >= listMax)
  const pick = random.number()
  if (!isFull && random.number() < transferShare) return transferStep(bank, couple, random)
  if (rows.length < listMax && pick < 0.5) return insertion(account, couple, random)
  if (rows.length > 0 && pick < 0.8) {
    const row = random.one(rows)
    return step('deletion', person, 'ok', sql`delete from public.transactions where id = ${row.id}`, () => {
      rows.splice(rows.indexOf(row), 1)
      deleted.push(row)
      if (!row.isBanks) account.balanceMinor -= row.signedMinor
    })
  }
  const row = deleted.length > 0 && pick < 0.97 ? random.one(deleted) : null
  // If the customer has not deleted any row, the statement names an unknown row, which the bank must refuse to
  // restore.
  const statement = sql`select public.restore_transaction(${row?.id ?? random.uuid()})`
  return step('restoration', person, row === null ? 'refused' : 'ok', statement, () => {
    if (row === null) return
    deleted.splice(deleted.indexOf(row), 1)
    rows.push(row)
    if (!row.isBanks) account.balanceMinor += row.signedMinor
  })
}

function insertion(account: Account, { administrator }: Couple, random: Random): Step {
  const { person } = account
  const isBanks = random.number() < 0.5
  const minor = random.number() < 0.1 ? 1 + random.integer(99_999_999) : 1 + random.integer(50_000)
  const type = isBanks && random.number() < 0.7 ? 'deposit' : 'expense'
  const signedMinor = type === 'deposit' ? minor : -minor
  const row: Row = { id: random.uuid(), label: random.uuid(), isBanks, signedMinor }
  const amount = decimal(minor)
  const statement = isBanks
    ? sql`select private.register_transaction(${person.id}, ${type}, ${amount}, ${row.label}, now(), 'Otros') ->> 'id' as id`
    : sql`insert into public.transactions (user_id, id, type, description, amount, category)
          values (${person.id}, ${row.id}, ${type}, ${row.label}, ${amount}, 'Otros')
          returning id`
  return step('insertion', isBanks ? administrator : person, 'ok', statement, (id) => {
    account.live.push({ ...row, id })
    account.balanceMinor += row.signedMinor
  })
}

function step(
  what: string,
  by: Person,
  expected: string,
  statement: SqlStatement,
  apply: Step['apply'],
): Step {
  return { what, expected, run: () => perform(by, statement), apply }
}

async function compareList({ bank, differences }: Run, { person, live: rows }: Account): Promise<void> {
  const [kept] = await bank.database.transaction(person.as('read'), [
    sql<{ description: string; signed: string }>`
      select description, round(case type when 'deposit' then amount else -amount end, 2)::text as signed
      from public.transactions`,
  ])
  const inBank = kept.map(({ description, signed }) => `${description} ${signed}`)
  const inModel = rows.map(({ label, signedMinor }) => `${label} ${decimal(signedMinor)}`)
  if (inBank.toSorted().join() !== inModel.toSorted().join())
    differences.push(`the list of ${person.id} is not the model's`)
}

/** The amount of each transfer to another bank is either in a clearing file or waits for the next file. */
async function compareClearing({ bank, differences }: Run, couples: readonly Couple[]): Promise<void> {
  const { waiting_amount, handed_amount } = await clearing(bank.administrator)
  const elsewhere = couples
    .flatMap(({ transfers }) => transfers)
    .filter(({ payee, status }) => payee === null && status === 'done')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  if (Math.round((waiting_amount + handed_amount) * 100) !== elsewhere)
    differences.push(`the clearing has ${waiting_amount} and ${handed_amount}, not ${decimal(elsewhere)}`)
}

async function openCouple(bank: Bank): Promise<Couple> {
  const open = async (): Promise<Account> => ({
    person: await addHolder(bank, '0'),
    live: [],
    deleted: [],
    balanceMinor: 0,
    beneficiary: '',
    elsewhere: '',
  })
  const [one, other] = [await open(), await open()]
  one.beneficiary = await befriend(one.person, other.person)
  other.beneficiary = await befriend(other.person, one.person)
  for (const account of [one, other]) account.elsewhere = await befriendElsewhere(account.person)
  return {
    administrator: await addPerson(bank.database, 'admin'),
    accounts: [one, other],
    transfers: [],
    openMax: await limitOf(bank, 'open transfers'),
  }
}

/** Returns the amounts that the bank computes, in the same form as `accountOf`. */
async function readAccount(person: Person): Promise<string> {
  const [[row]] = await person.database.transaction(person.as('read'), [
    sql<{ amounts: string }>`
      select concat_ws(
        ' ', round(a.balance, 2), round(b.balance - b.noted, 2), round(a.reserved, 2), round(l.left_max, 2),
        round(a.automatic_max, 2)
      ) as amounts
      from public.transfer_account() a cross join public.budgets b cross join unnest(a.limits) l
      where l.name = 'day'`,
  ])
  return row?.amounts ?? ''
}
