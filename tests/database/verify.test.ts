/** The verification of the ledger. */
import { withoutQuota } from '#server/database/scope.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, deposit, expense, run } from './people.ts'

let db: TestDatabase
let administrator: Person
let customer: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
  customer = await addPerson(db.database, 'user')
})
afterAll(() => db.close())

const remove = (id: string | undefined) => sql`delete from public.transactions where id = ${id ?? ''}`

/** Five entries: two deposits, an expense and its reversal, and the removal of the first deposit. */
async function useAccount(person: Person) {
  const [first] = await run(administrator, deposit(person, '100.50'))
  await run(administrator, deposit(person, '20'))
  const [recorded] = await run(person, expense(person, '7.25'))
  await run(person, remove(recorded?.id))
  await run(person, remove(first?.id))
}

test('a bank in which everything happened verifies: deposits, expenses, deletions, closed accounts, nothing at all', async () => {
  const [used, closed] = [await addPerson(db.database, 'user'), await addPerson(db.database, 'user')]
  await useAccount(used)
  await useAccount(closed)
  await run(administrator, sql`select public.delete_user(${closed.id})`)

  expect(await verifyLedger(db.database)).toMatchObject({ entries: 11, customers: 4, broken: null })
})

test('what others write meanwhile is never taken for a fault', async () => {
  const unlimited = withoutQuota(db.database)
  const customers = await Promise.all([0, 1, 2, 3].map(() => addPerson(unlimited, 'user')))
  const end = new AbortController()
  const writers = customers.map(async (person) => {
    for (let round = 0; !end.signal.aborted; round += 1) {
      const [recorded] = await run(person, expense(person, '1.10'))
      if (round % 2 === 0) await run(person, remove(recorded?.id))
      else await run(administrator, deposit(person, '3'))
    }
  })

  const verdicts: Awaited<ReturnType<typeof verifyLedger>>[] = []
  // Forty, and until the writers have had their turn between them.
  const hasGrown = () => (verdicts.at(-1)?.entries ?? 0) > (verdicts[0]?.entries ?? 0)
  while (verdicts.length < 40 || !hasGrown()) verdicts.push(await verifyLedger(db.database))
  end.abort()
  await Promise.all(writers)

  expect(verdicts.filter(({ broken }) => broken !== null)).toEqual([])
})

describe('in a bank that was tampered with', () => {
  let other: Person
  let closed: Person

  beforeAll(async () => {
    // A bank of its own: the first fault is named, wherever it is.
    await db.close()
    db = await openTestDatabase()
    administrator = await addPerson(db.database, 'admin')
    customer = await addPerson(db.database, 'user')
    other = await addPerson(db.database, 'user')
    closed = await addPerson(db.database, 'user')
    for (const person of [customer, other, closed]) await useAccount(person)
    await run(administrator, sql`select public.delete_user(${closed.id})`)
    expect(await verifyLedger(db.database)).toMatchObject({ entries: 16, customers: 4, broken: null })
    await db.owner.script(
      `create schema kept; ${tables.map((table) => `create table ${copyOf(table)} as table ${table};`).join('')}`,
    )
  })
  afterEach(() =>
    tamper(
      tables.map((table) => `delete from ${table}; insert into ${table} table ${copyOf(table)};`).join(''),
    ),
  )

  test.each([
    ['an amount that was changed', `update ledger.journal set delta = 5 where THEIRS and seq = 2`, 2, 'hash'],
    [
      'an amount changed by less than a cent',
      `update ledger.journal set delta = 20.001 where THEIRS and seq = 2`,
      2,
      'hash',
    ],
    [
      'a time that no entry has',
      `update ledger.journal set recorded_at = 'infinity' where THEIRS and seq = 3`,
      3,
      'hash',
    ],
    ['an entry that was taken out', `delete from ledger.journal where THEIRS and seq = 3`, 4, 'sequence'],
    [
      'a first entry that was taken out',
      `delete from ledger.journal where THEIRS and seq = 1`,
      2,
      'sequence',
    ],
    [
      'a last entry that was taken out',
      `delete from ledger.journal where THEIRS and seq = 5`,
      1,
      'transaction',
    ],
    [
      'an entry written anew with a right hash',
      `update ledger.journal set actor = null where THEIRS and seq = 2;
     update ledger.journal j set hash = ledger.entry_hash(j) where THEIRS and seq = 2`,
      3,
      'link',
    ],
    [
      'an amount written anew with a right hash',
      `update ledger.journal set delta = 21 where THEIRS and seq = 2;
     update ledger.journal j set hash = ledger.entry_hash(j) where THEIRS and seq = 2`,
      2,
      'sum',
    ],
    [
      'a balance that was changed',
      `update public.budgets set balance = balance + 1 where THEIRS`,
      5,
      'balance',
    ],
    ['an account that was taken away', `delete from public.budgets where THEIRS`, 5, 'account'],
    [
      'a row of the list that was changed',
      `update public.transactions set amount = 21 where THEIRS`,
      2,
      'transaction',
    ],
    [
      'a row of the list that was taken away',
      `delete from public.transactions where THEIRS`,
      2,
      'transaction',
    ],
  ] as const)('%s is found, with the customer and the entry', async (_what, statement, seq, fault) => {
    await tamper(statement.replaceAll('THEIRS', `user_id = '${customer.id}'`))

    const { broken } = await verifyLedger(db.database)
    expect(broken).toEqual({ customerId: customer.id, seq, fault })
  })

  test('a row that was put into a list without a posting is found', async () => {
    await tamper(`insert into public.transactions (user_id, type, description, amount)
                values ('${customer.id}', 'deposit', 'Regalo', 1)`)

    expect((await verifyLedger(db.database)).broken).toEqual({
      customerId: customer.id,
      seq: null,
      fault: 'unposted',
    })
  })

  test('an entry after the closing of an account is found', async () => {
    await tamper(`
    insert into ledger.journal
    select user_id, seq + 1, kind, transaction_id, 0, balance_after, actor, recorded_at, hash, hash
    from ledger.journal where user_id = '${closed.id}' and kind = 'closing';
    update ledger.journal j set hash = ledger.entry_hash(j) where user_id = '${closed.id}' and seq = 7`)

    expect((await verifyLedger(db.database)).broken).toEqual({
      customerId: closed.id,
      seq: 7,
      fault: 'closed',
    })
  })

  test.each([
    ['a row that was changed', `update ledger.audit set action = 'nothing' where id = 2`, 2, 'hash'],
    ['a row that was taken out', `delete from ledger.audit where id = 2`, 3, 'sequence'],
    [
      'a row written anew with a right hash',
      `update ledger.audit set target = null where id = 2;
       update ledger.audit a set hash = ledger.audit_hash(a) where id = 2`,
      3,
      'link',
    ],
  ] as const)('%s in the audit is found', async (_what, statement, seq, fault) => {
    await tamper(statement)

    expect((await verifyLedger(db.database)).broken).toEqual({ customerId: null, seq, fault })
  })

  test('of several broken entries the first is named, by customer and then by sequence', async () => {
    const [first = '', second = ''] = [customer.id, other.id].toSorted()

    await tamper(`update ledger.journal set actor = null where user_id = '${second}' and seq = 1;
                update public.budgets set balance = 1 where user_id = '${first}';
                update ledger.journal set recorded_at = 'epoch' where user_id = '${first}' and seq in (4, 5)`)

    expect((await verifyLedger(db.database)).broken).toEqual({ customerId: first, seq: 4, fault: 'hash' })
  })

  test('portions of any size find the same, at their borders too', async () => {
    const counted = async (size: number) => {
      let [total, customer, seq] = [0, null as string | null, null as number | null]
      for (;;) {
        const [portion] = await db.owner.query(
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
    await tamper(
      `update ledger.journal set previous_hash = hash where user_id = '${customer.id}' and seq = 4`,
    )
    for (const size of [1, 2, 3, 5, 16, 17]) expect(await counted(size)).toBe(4)
  })
})

const tables = ['ledger.journal', 'ledger.audit', 'public.budgets', 'public.transactions']

/** Writes past every trigger, as the database's superuser can. */
function tamper(statement: string) {
  const switchTriggers = (how: 'disable' | 'enable') =>
    tables.map((table) => `alter table ${table} ${how} trigger user;`).join('\n')
  return db.owner.script(`${switchTriggers('disable')}\n${statement};\n${switchTriggers('enable')}`)
}

const copyOf = (table: string) => `kept.${table.replace('.', '_')}`
