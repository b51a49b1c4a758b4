// Tests the verification of the ledger.
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { recordCheck } from '#server/jobs/daily-check.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { settings } from './bank-settings.ts'
import type { Bank } from './bank.ts'
import { runWithoutTriggers, useBank } from './database.ts'
import { keepTables, putBack } from './kept-tables.ts'
import { type Person, addPerson, deposit, expense, record, remove, run } from './people.ts'

const bank = useBank()

/**
 * Records two deposits and an expense, then deletes the expense and the first deposit. Returns the id of the first
 * deposit.
 */
async function useAccount({ administrator }: Bank, person: Person): Promise<string> {
  const first = await record(administrator, deposit(person, '100.50'))
  await run(administrator, deposit(person, '20'))
  await run(person, remove(await record(person, expense(person, '7.25'))))
  await run(person, remove(first))
  return first
}

test('the verification finds no error in a bank with every kind of entry', async () => {
  const [used, closed] = [await bank.addCustomer(), await bank.addCustomer()]
  await bank.addCustomer()
  const removed = await useAccount(bank, used)
  await run(used, sql`select public.restore_transaction(${removed})`)
  await useAccount(bank, closed)
  await run(bank.administrator, sql`select private.delete_user(${closed.id})`)

  expect(await verifyLedger(bank.database)).toMatchObject({ entries: 12, customers: 4, broken: null })
})

test('concurrent writes are never reported as errors', async () => {
  await bank.asService(settings({ auth_rate_limits: 'off' }))
  const customers = await Promise.all([0, 1, 2, 3].map(() => addPerson(bank.database, 'user')))
  const end = new AbortController()
  const writers = customers.map(async (person) => {
    for (let round = 0; !end.signal.aborted; round += 1) {
      const recorded = await record(person, expense(person, '1.10'))
      if (round % 2 === 0) await run(person, remove(recorded))
      else await run(bank.administrator, deposit(person, '3'))
    }
  })

  const verdicts: Awaited<ReturnType<typeof verifyLedger>>[] = []
  // Verifies the ledger at least forty times, and longer if the writers have not yet added any entries.
  const hasGrown = () => (verdicts.at(-1)?.entries ?? 0) > (verdicts[0]?.entries ?? 0)
  while (verdicts.length < 40 || !hasGrown()) verdicts.push(await verifyLedger(bank.database))
  end.abort()
  await Promise.all(writers)

  expect(verdicts.filter(({ broken }) => broken !== null)).toEqual([])
})

describe('in a tampered bank', () => {
  // Uses a separate bank, because the verification reports only the first error in a bank.
  const small = useBank()
  let customer: Person
  let other: Person
  let closed: Person

  const findBroken = async () => (await verifyLedger(small.database)).broken
  const tamper = (statement: string) => runWithoutTriggers(small, statement)

  beforeAll(async () => {
    customer = await small.addCustomer()
    other = await small.addCustomer()
    closed = await small.addCustomer()
    for (const person of [customer, other, closed]) await useAccount(small, person)
    await run(small.administrator, sql`select private.delete_user(${closed.id})`)
    expect(await verifyLedger(small.database)).toMatchObject({ entries: 16, customers: 4, broken: null })
    await small.owner.script(keepTables(tables))
  })
  afterEach(() => tamper(putBack(tables)))

  const journal = (change: string, seq: number) =>
    `update ledger.journal j set ${change} where THEIRS and seq = ${seq};`
  const rehash = (seq: number) => journal('hash = ledger.entry_hash(j)', seq)
  const without = (seq: number) => `delete from ledger.journal where THEIRS and seq = ${seq}`
  const list = 'public.transactions'
  const staffList = 'private.listed_accounts'

  test.for([
    ['a changed amount', journal('delta = 5', 2), 2, 'hash'],
    ['an amount changed by less than a cent', journal('delta = 20.001', 2), 2, 'hash'],
    ['an infinite time', journal(`recorded_at = 'infinity'`, 3), 3, 'hash'],
    ['an infinite date', journal(`dated_at = 'infinity'`, 3), 3, 'hash'],
    ['a changed date', journal(`dated_at = dated_at - interval '1 month'`, 2), 2, 'hash'],
    ['a deleted entry', without(3), 4, 'sequence'],
    ['a deleted first entry', without(1), 2, 'sequence'],
    ['a deleted last entry', without(5), 1, 'transaction'],
    ['a changed entry with a recalculated hash', journal('actor = null', 2) + rehash(2), 3, 'link'],
    ['a changed amount with a recalculated hash', journal('delta = 21', 2) + rehash(2), 2, 'sum'],
    ['a changed balance', 'update public.budgets set balance = balance + 1 where THEIRS', 5, 'balance'],
    ['a changed sum of notes', 'update public.budgets set noted = noted - 1 where THEIRS', 5, 'notes'],
    [
      'a changed row of the staff list',
      `update ${staffList} set balance = balance + 1 where THEIRS`,
      5,
      'listed',
    ],
    ['a changed time in the staff list', `update ${staffList} set last_at = now() where THEIRS`, 5, 'listed'],
    ['a deleted row of the staff list', `delete from ${staffList} where THEIRS`, 5, 'listed'],
    ['a deleted account', 'delete from public.budgets where THEIRS', 5, 'account'],
    ['a changed transaction', `update ${list} set amount = 21 where THEIRS`, 2, 'transaction'],
    ['a deleted transaction', `delete from ${list} where THEIRS`, 2, 'transaction'],
  ] as const)(
    'the verification finds %s, and names the customer and the entry',
    async ([, statement, seq, fault]) => {
      await tamper(statement.replaceAll('THEIRS', `user_id = '${customer.id}'`))

      expect(await findBroken()).toEqual({ customerId: customer.id, seq, fault })
    },
  )

  test('the verification finds a note of a customer that was changed to a transaction of the bank', async () => {
    await run(customer, expense(customer, '1'))
    await tamper(
      `update ${list} set recorded_by = 'bank', origin = 'clerk', origin_id = id
        where user_id = '${customer.id}' and type = 'expense'`,
    )

    expect(await findBroken()).toEqual({ customerId: customer.id, seq: 6, fault: 'transaction' })
  })

  test('the verification finds an added transaction without a posting', async () => {
    await tamper(`insert into public.transactions (user_id, type, description, amount)
                values ('${customer.id}', 'deposit', 'Regalo', 1)`)

    expect(await findBroken()).toEqual({
      customerId: customer.id,
      seq: null,
      fault: 'unposted',
    })
  })

  test('the verification finds an entry that was added after an account was closed', async () => {
    await tamper(`
    insert into ledger.journal
    select user_id, seq + 1, kind, origin, origin_id, transaction_id, 0, balance_after, actor, dated_at, recorded_at, hash, hash
    from ledger.journal where user_id = '${closed.id}' and kind = 'closing';
    update ledger.journal j set hash = ledger.entry_hash(j) where user_id = '${closed.id}' and seq = 7`)

    expect(await findBroken()).toEqual({
      customerId: closed.id,
      seq: 7,
      fault: 'closed',
    })
  })

  test.for([
    ['a changed entry', `update ledger.audit set action = 'nothing' where id = 2`, 2, 'hash'],
    ['a deleted entry', `delete from ledger.audit where id = 2`, 3, 'sequence'],
    [
      'a changed entry with a recalculated hash',
      `update ledger.audit set target = null where id = 2;
       update ledger.audit a set hash = ledger.audit_hash(a) where id = 2`,
      3,
      'link',
    ],
    [
      'an entry with a recalculated hash, moved to another cell',
      `update ledger.audit set cell = 2 where id = (select max(id) from ledger.audit);
       update ledger.audit a set hash = ledger.audit_hash(a) where cell = 2`,
      8,
      'sequence',
    ],
  ] as const)('the verification finds %s of the audit', async ([, statement, seq, fault]) => {
    await tamper(statement)

    expect(await findBroken()).toEqual({ customerId: null, seq, fault })
  })

  test('the verification reports the first of several broken entries, ordered by customer and then by sequence number', async () => {
    const [first = '', second = ''] = [customer.id, other.id].toSorted()

    await tamper(`update ledger.journal set actor = null where user_id = '${second}' and seq = 1;
                update public.budgets set balance = 1 where user_id = '${first}';
                update ledger.journal set recorded_at = 'epoch' where user_id = '${first}' and seq in (4, 5)`)

    expect(await findBroken()).toEqual({ customerId: first, seq: 4, fault: 'hash' })
  })

  test('the verification has the same result for portions of any size', async () => {
    const counted = async (size: number) => {
      let [total, customer, seq] = [0, null as string | null, null as number | null]
      for (;;) {
        const [portion] = await small.owner.query(
          sql<{
            entries: number
            last_customer: string | null
            last_seq: number | null
            broken_seq: number | null
          }>`select * from ledger.check_entries(${customer}, ${seq}, ${size})`,
        )
        if (portion === undefined || portion.broken_seq !== null) return portion?.broken_seq
        total += portion.entries
        if (portion.entries < size) return total
        customer = portion.last_customer
        seq = portion.last_seq
      }
    }

    for (const size of [1, 2, 3, 5, 16, 17]) expect(await counted(size)).toBe(16)
    await tamper(journal('previous_hash = hash', 4).replace('THEIRS', `user_id = '${customer.id}'`))
    for (const size of [1, 2, 3, 5, 16, 17]) expect(await counted(size)).toBe(4)
  })
})

test('all servers see the last result', async () => {
  const read = async () => {
    const [row] = await bank.owner.query(
      sql`select age_seconds < 60 as is_new, is_broken from ledger.read_daily_check()`,
    )
    return row
  }
  expect(await read()).toEqual({ is_new: null, is_broken: false })

  await recordCheck(bank.database, true)
  expect(await read()).toEqual({ is_new: true, is_broken: true })
  await recordCheck(bank.database, false)
  expect(await read()).toEqual({ is_new: true, is_broken: false })
})

const tables = [
  'ledger.journal',
  'ledger.audit',
  'public.budgets',
  'public.transactions',
  'private.listed_accounts',
]
