// What a customer sees of their own journal.
import { createHash, randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, deposit, expense, run } from './people.ts'

let db: TestDatabase
let administrator: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
})
afterAll(() => db.close())

const remove = (id: string) => sql`delete from public.transactions where id = ${id}`
const restore = (id: string) => sql`select public.restore_transaction(${id})`

type Explanation = {
  balance: number
  opening: number
  deposits: number
  expenses: number
  corrections: number
  entries: number
  last_seq: number | null
  last_kind: string | null
  last_recorded_at: string | null
}
const explain = async (person: Person) => {
  const [rows] = await person.database.transaction(person.as('read'), [
    sql<{ why: Explanation }>`select to_jsonb(e) as why from public.explain_balance() e`,
  ])
  return rows[0]?.why
}

/** Records, deletes and restores at random, and answers what each kind of posting adds up to, in hundredths. */
async function randomHistory(customer: Person, steps: number) {
  const sums = { deposits: 0, expenses: 0, corrections: 0, entries: 0 }
  const live: { id: string; minor: number }[] = []
  const gone: { id: string; minor: number }[] = []
  for (let step = 0; step < steps; step += 1) {
    const [own, other] = [live.splice(randomInt(live.length + 1), 1)[0], gone[0]]
    const minor = randomInt(1, 10_000_00)
    const amount = `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`
    if (own !== undefined && step % 3 === 0) {
      await run(customer, remove(own.id))
      gone.unshift(own)
      sums.corrections += own.minor
    } else if (other !== undefined && step % 4 === 0) {
      await run(customer, restore(other.id))
      live.push(other)
      gone.shift()
      sums.corrections -= other.minor
      if (own !== undefined) live.push(own)
    } else {
      if (own !== undefined) live.push(own)
      const isDeposit = randomInt(2) === 0
      const [row] = isDeposit
        ? await run(administrator, deposit(customer, amount))
        : await run(customer, expense(customer, amount))
      // Deleting what the bank recorded moves nothing.
      live.push({ id: row?.id ?? '', minor: isDeposit ? 0 : minor })
      sums[isDeposit ? 'deposits' : 'expenses'] += isDeposit ? minor : -minor
    }
    sums.entries += 1
  }
  return sums
}

describe('why this balance', () => {
  test('whatever happened, the parts add up to the balance, to the last hundredth', async () => {
    for (let history = 0; history < 5; history += 1) {
      const customer = await addPerson(db.database, 'user')

      const sums = await randomHistory(customer, 30)

      const why = await explain(customer)
      const minor = (value: number | undefined) => Math.round((value ?? Number.NaN) * 100)
      expect({
        deposits: minor(why?.deposits),
        expenses: minor(why?.expenses),
        corrections: minor(why?.corrections),
        entries: why?.entries,
      }).toEqual(sums)
      expect(minor(why?.balance)).toBe(minor(why?.opening) + sums.deposits + sums.expenses + sums.corrections)
      expect(why?.last_seq).toBe(30)
    }
  })

  test('an account in which nothing happened is 0, with no last entry', async () => {
    expect(await explain(await addPerson(db.database, 'user'))).toEqual({
      balance: 0,
      opening: 0,
      deposits: 0,
      expenses: 0,
      corrections: 0,
      entries: 0,
      last_seq: null,
      last_kind: null,
      last_recorded_at: null,
    })
  })

  test('an administrator is told about their own account, and nobody in particular is refused', async () => {
    const customer = await addPerson(db.database, 'user')
    await run(administrator, deposit(customer, '100'))

    expect(await explain(administrator)).toMatchObject({ balance: 0, entries: 0 })
    await expect(
      db.database.transaction(asCaller({ role: 'anon' }, 'read'), [sql`select public.explain_balance()`]),
    ).rejects.toMatchObject({ sqlState: '42501' })
  })
})

describe('the entries', () => {
  type Entry = {
    user_id: string
    seq: number
    kind: string
    transaction_id: string | null
    delta: number
    balance_after: number
    actor: string | null
    recorded_at: string
    previous_hash: string
    hash: string
  }
  const entriesOf = async (person: Person) =>
    (
      await run(
        person,
        sql<{ entry: Entry }>`select to_jsonb(j) as entry from public.journal_entries j order by seq`,
      )
    ).map(({ entry }) => entry)

  test('hold all that their hashes were taken over', async () => {
    const customer = await addPerson(db.database, 'user')
    await randomHistory(customer, 12)
    let previous = '0'.repeat(64)

    for (const entry of await entriesOf(customer)) {
      expect(entry.previous_hash).toBe(previous)
      expect(entry.hash).toBe(hashOf(entry))
      previous = entry.hash
    }
  })

  /** `ledger.entry_hash`, written again from its description. */
  function hashOf(entry: Entry): string {
    const [seconds = '', fraction = ''] = entry.recorded_at.replace(/\+00:00$/, '').split('.')
    const microseconds = BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'))
    const hash = createHash('sha256')
    const fields = [
      entry.user_id,
      String(entry.seq),
      entry.kind,
      entry.transaction_id,
      entry.delta.toFixed(2),
      entry.balance_after.toFixed(2),
      entry.actor,
      String(microseconds),
      entry.previous_hash,
    ]
    for (const field of fields) {
      const length = Buffer.alloc(4)
      length.writeInt32BE(field === null ? -1 : Buffer.byteLength(field))
      hash.update(length).update(field ?? '')
    }
    return hash.digest('hex')
  }
})
