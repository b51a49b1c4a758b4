/**
 * Several customers randomly insert, delete and restore rows, and a small model computes the expected results
 * (security.md MO-05). After each operation, the balance and the outcome must equal those of the model. At the end,
 * every list must equal the list in the model, and the verification of the ledger must succeed.
 */
import { withoutQuota } from '#server/database/scope.ts'
import { SqlError, type SqlStatement, sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { type Person, addPerson } from '#tests/database/people.ts'
import { type Metric, atLeast, none } from '#testing/report.ts'
import { type Engine, openBank } from '#nightly/fixtures/servers.ts'
import { type Random, randomOf } from '#nightly/fixtures/random.ts'

const customersCount = 8
/** Maximum length of a list. The test needs many different operations rather than long lists. */
const listMax = 60

/** The label is the row's description. If the bank records a row, the database chooses the row's id. */
type Row = { id: string; label: string; signedMinor: number; isBanks: boolean }
type Account = { person: Person; live: Row[]; deleted: Row[]; balanceMinor: number }

/** Runs random operations for all customers concurrently. The operations of one customer run one after the other. */
export async function runModel(options: {
  engine: Engine
  operations: number
  seed: number
}): Promise<Metric[]> {
  const { engine, operations, seed } = options
  const place = await openBank(engine)
  try {
    const database = withoutQuota(place.database)
    const administrator = await addPerson(database, 'admin')
    const differences: string[] = []
    let done = 0
    const accounts = await Promise.all(
      Array.from({ length: customersCount }, async (_, index) => {
        const account = { person: await addPerson(database, 'user'), live: [], deleted: [], balanceMinor: 0 }
        await live(account, randomOf(seed + index))
        return account
      }),
    )
    for (const account of accounts) await compareList(account)
    const { broken, entries } = await verifyLedger(database)
    for (const difference of differences.slice(0, 5)) console.error(difference)
    return [
      atLeast(`operations against the model, ${engine}`, done, operations),
      none(`differences, ${engine}`, differences),
      none(`broken chains at the end, ${engine}, of ${entries} entries`, broken === null ? 0 : 1),
    ]

    async function live(account: Account, random: Random): Promise<void> {
      while (done < operations) {
        done += 1
        const { by, statement, expected, apply } = choose(account, random)
        const { outcome, id, balance } = await perform(by, statement, account.person)
        if (outcome === 'ok') apply(id)
        const wanted = decimal(account.balanceMinor)
        if (outcome !== expected) differences.push(`${statement.text}: ${outcome}, not ${expected}`)
        if (balance !== wanted)
          differences.push(`${statement.text}: the balance is ${balance}, not ${wanted}`)
      }
    }

    function choose(account: Account, random: Random) {
      const { person, live: rows, deleted } = account
      const pick = random.number()
      if (rows.length < listMax && pick < 0.5) return insertion(account, random)
      if (rows.length > 0 && pick < 0.8) {
        const row = random.one(rows)
        return {
          by: person,
          expected: 'ok',
          statement: sql`delete from public.transactions where id = ${row.id}`,
          apply: () => {
            rows.splice(rows.indexOf(row), 1)
            deleted.push(row)
            if (!row.isBanks) account.balanceMinor -= row.signedMinor
          },
        }
      }
      const row = deleted.length > 0 && pick < 0.97 ? random.one(deleted) : null
      return {
        by: person,
        // A row that was never deleted cannot be restored.
        expected: row === null ? 'refused' : 'ok',
        statement: sql`select public.restore_transaction(${row?.id ?? random.uuid()})`,
        apply() {
          if (row === null) return
          deleted.splice(deleted.indexOf(row), 1)
          rows.push(row)
          if (!row.isBanks) account.balanceMinor += row.signedMinor
        },
      }
    }

    function insertion(account: Account, random: Random) {
      const { person } = account
      const isBanks = random.number() < 0.5
      const minor = random.number() < 0.1 ? 1 + random.integer(99_999_999) : 1 + random.integer(50_000)
      const type = isBanks && random.number() < 0.7 ? 'deposit' : 'expense'
      const signedMinor = type === 'deposit' ? minor : -minor
      const row: Row = { id: random.uuid(), label: random.uuid(), isBanks, signedMinor }
      const amount = decimal(minor)
      return {
        by: isBanks ? administrator : person,
        expected: 'ok',
        statement: isBanks
          ? sql`select private.register_transaction(${person.id}, ${type}, ${amount}, ${row.label}, now(), 'Otros') as id`
          : sql`insert into public.transactions (user_id, id, type, description, amount, category)
                values (${person.id}, ${row.id}, ${type}, ${row.label}, ${amount}, 'Otros')
                returning id`,
        apply: (id: string) => {
          account.live.push({ ...row, id })
          account.balanceMinor += row.signedMinor
        },
      }
    }

    /** Returns the outcome, and the balance right after the operation. */
    async function perform(by: Person, statement: SqlStatement, of: Person) {
      const [outcome, id] = await database.transaction(by.as('write'), [statement]).then(
        ([rows]) => ['ok', String(rows[0]?.['id'])] as const,
        (error: unknown) => {
          if (error instanceof SqlError) return ['refused', ''] as const
          throw error
        },
      )
      const [[budget]] = await database.transaction(of.as('read'), [
        sql<{ balance: string }>`select trim_scale(balance)::text as balance from public.budgets`,
      ])
      return { outcome, id, balance: decimal(Math.round(Number(budget?.balance) * 100)) }
    }

    async function compareList({ person, live: rows }: Account): Promise<void> {
      const [kept] = await database.transaction(person.as('read'), [
        sql<{ description: string; signed: string }>`
          select description, round(case type when 'deposit' then amount else -amount end, 2)::text as signed
          from public.transactions`,
      ])
      const inBank = kept.map(({ description, signed }) => `${description} ${signed}`)
      const inModel = rows.map(({ label, signedMinor }) => `${label} ${decimal(signedMinor)}`)
      if (inBank.toSorted().join() !== inModel.toSorted().join())
        differences.push(`the list of ${person.id} is not the model's`)
    }
  } finally {
    await place.close()
  }
}

function decimal(minor: number): string {
  return (minor / 100).toFixed(2)
}
