// Tests the verification of the ledger, and the lease that lets only one of a bank's servers verify it each day.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { withoutQuota } from '#server/database/scope.ts'
import { CheckLease } from '#server/ledger/daily-check.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { type Bank, runWithoutTriggers, useBank } from './database.ts'
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
  const unlimited = withoutQuota(bank.database)
  const customers = await Promise.all([0, 1, 2, 3].map(() => addPerson(unlimited, 'user')))
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

describe('with two servers', () => {
  const daySeconds = 24 * 3600
  let one: CheckLease
  let other: CheckLease

  beforeEach(async () => {
    await bank.owner.query(sql`delete from ledger.daily_check`)
    one = new CheckLease(bank.database)
    other = new CheckLease(bank.database)
  })

  test('before the first verification, the lease is free and no error is reported', async () => {
    expect(await one.read()).toEqual({ isFree: true, ageSeconds: null, isBroken: false })
  })

  test('only one of two servers that request the lease at the same moment gets the lease', async () => {
    const taken = await Promise.all([one.acquire(daySeconds), other.acquire(daySeconds)])

    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  test('the lease is not free while a server verifies, and all servers see the result', async () => {
    await one.acquire(daySeconds)
    expect(await other.read()).toMatchObject({ isFree: false })
    expect(await one.read()).toMatchObject({ isFree: true })

    await one.release(true)

    const seen = await other.read()
    expect(seen).toMatchObject({ isFree: true, isBroken: true })
    expect(seen.ageSeconds).toBeLessThan(60)
    expect(await other.acquire(daySeconds)).toBe(false)
  })

  test('a server can acquire the lease again after a day, and the last result is kept meanwhile', async () => {
    await one.acquire(daySeconds)
    await one.release(true)
    await bank.owner.query(sql`update ledger.daily_check set ended_at = ended_at - interval '1 day'`)

    expect(await other.acquire(daySeconds)).toBe(true)
    expect(await one.read()).toMatchObject({ isFree: false, isBroken: true })
  })

  test('a lease expires if its server stops renewing it, and a later result from that server is ignored', async () => {
    await one.acquire(daySeconds)
    await bank.owner.query(sql`update ledger.daily_check set held_until = now()`)

    expect(await other.read()).toMatchObject({ isFree: true })
    expect(await other.acquire(daySeconds)).toBe(true)
    await one.release(true)

    expect(await one.read()).toEqual({ isFree: false, ageSeconds: null, isBroken: false })
  })

  test('the lease is free after an interrupted verification, which does not store a result', async () => {
    await one.acquire(daySeconds)
    await one.release(null)

    expect(await other.read()).toEqual({ isFree: true, ageSeconds: null, isBroken: false })
    expect(await other.acquire(daySeconds)).toBe(true)
  })
})

const tables = ['ledger.journal', 'ledger.audit', 'public.budgets', 'public.transactions']
