// Two simultaneous calls about one transfer have the same effect as two successive calls. Money moves at most once, and
// no order of calls deadlocks.
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, ageProof, closeAccount, deposit, expense, run } from './people.ts'
import { runDueSoon, runRound, transferRaces } from './transfer-race.ts'
import { day, enableTransfers, request, returnTransfer, stored } from './transfers.ts'
import { decide } from './decisions.ts'
import { addHolder, addPair, befriend } from './beneficiaries.ts'

const bank = useBank()
const rounds = 21
let colleague: Person

beforeAll(async () => {
  await enableTransfers(bank)
  colleague = await addPerson(bank.database, 'admin')
})

test.for(Object.entries(transferRaces))(
  '%s at the same moment have the effect of two successive calls',
  { timeout: 120_000 },
  async ([, race]) => {
    for (let place = 0; place < rounds; place += 1) {
      const { faults } = await runRound(race, { bank, colleague, isReversed: place % 2 === 1 })
      expect(faults).toEqual([])
    }
  },
)

test('a request that is sent twice at the same moment pays only once', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  for (let place = 0; place < rounds; place += 1) {
    const id = crypto.randomUUID()
    const [one, two] = await Promise.all([1, 2].map(() => request(payer, beneficiary, '1', { id })))
    expect(one).toEqual(two)
  }

  expect(
    await bank.owner.query(
      sql`select trim_scale(balance)::text as balance from public.budgets where user_id = ${payee.id}`,
    ),
  ).toEqual([{ balance: String(rounds) }])
})

test.for([
  ['payer', '500'],
  ['payer', '50'],
  ['payee', '500'],
  ['payee', '50'],
] as const)(
  'a transfer request does not stay open if the %s’s account is closed at the same moment (amount %s)',
  async ([side, amount]) => {
    for (let place = 0; place < rounds; place += 1) {
      const { payer, payee, beneficiary } = await addPair(bank)
      const id = crypto.randomUUID()
      const acts = [
        () => request(payer, beneficiary, amount, { id, description: 'Terapia' }),
        () => closeAccount({ payer, payee }[side]),
      ]

      await Promise.allSettled((place % 2 === 0 ? acts : acts.toReversed()).map((act) => act()))

      const { status = 'refused', description = null } = (await stored(bank, id)) ?? {}
      expect(['refused', 'done', { payer: 'cancelled', payee: 'failed' }[side]]).toContain(status)
      if (side === 'payer') expect(description).toBeNull()
    }
  },
)

test('two people who are each other’s beneficiaries can close their accounts at the same moment', async () => {
  for (let place = 0; place < rounds; place += 1) {
    const [one, two] = [await addHolder(bank, '0'), await addHolder(bank, '0')]
    await befriend(one, two)
    await befriend(two, one)

    await Promise.all([closeAccount(one), closeAccount(two)])
  }
})

test('the orders of one session are counted one after another without a deadlock', async () => {
  const clerk = await addPerson(bank.database, 'admin')
  await ageProof(clerk, 11)
  for (let place = 0; place < rounds; place += 1) {
    const { payer, payee, beneficiary } = await addPair(bank)
    const [waiting, done] = [
      await request(payer, beneficiary, '500'),
      await request(payer, beneficiary, '50'),
    ]

    await Promise.all([
      run(clerk, deposit(payer, '1')),
      decide(clerk, [waiting.id], true),
      run(clerk, deposit(payee, '1')),
      returnTransfer(clerk, done.id),
    ])
  }
})

test('simultaneous requests of a payer do not exceed the limit of the day', async () => {
  for (let place = 0; place < rounds; place += 1) {
    const { payer, beneficiary } = await addPair(bank)

    const answers = await Promise.allSettled(
      ['900', '900', '900'].map((each) => request(payer, beneficiary, each)),
    )

    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  }
})

test('transfers in both directions, batches in both orders and expenses do not deadlock', async () => {
  const people = await Promise.all([1, 2, 3].map(() => addHolder(bank, '5000')))
  const pairs: (readonly [Person, string])[] = []
  for (const payer of people)
    for (const payee of people) if (payer !== payee) pairs.push([payer, await befriend(payer, payee)])
  for (let place = 0; place < rounds / 3; place += 1) {
    const waiting = await Promise.all(
      pairs.slice(place % 2, (place % 2) + 3).map(([payer, to]) => request(payer, to, '100.01')),
    )
    const ids = waiting.map(({ id }) => id)

    await Promise.all([
      decide(bank.administrator, ids, true),
      decide(colleague, ids.toReversed(), false),
      ...pairs.map(([payer, to]) => request(payer, to, '0.01')),
      ...people.map((person) => run(person, expense(person, '0.01'))),
      runDueSoon(bank, 0),
    ])
    await bank.owner.query(sql`update public.requests set asked_at = asked_at - interval '2 days'`)
  }

  const ids = people.map(({ id }) => id)
  expect(
    await bank.owner.query(sql`
      select trim_scale(sum(balance))::text as sum from public.budgets where user_id = any (${`{${ids.join()}}`}::uuid[])`),
  ).toEqual([{ sum: String(15_000 - ((rounds / 3) * people.length) / 100) }])
})

// The embedded engine runs one database transaction at a time.
test.skipIf(process.env['ENGINE'] !== 'postgres')(
  'a return that waits while the transfer is carried out is refused, because its amount was not checked',
  async () => {
    const { payer, beneficiary } = await addPair(bank)
    const { id } = await request(payer, beneficiary, '5', { due_on: await day(bank, 1) })
    const other = await bank.connectSuperuser()
    await other.query(sql`begin`)
    await other.query(sql`select from auth.users where id = ${payer.id} for update`)

    const returned = returnTransfer(colleague, id).catch((error: unknown) => error)
    await expect
      .poll(async () =>
        other.query(sql`
          select from pg_stat_clear_snapshot(), pg_stat_activity a
          where a.datname = current_database() and pg_backend_pid() = any (pg_blocking_pids(a.pid))`),
      )
      .toHaveLength(1)
    await other.query(sql`select private.carry_out(r) from public.requests r where r.id = ${id}`)
    await other.query(sql`commit`)
    await other.close()

    expect(await returned).toMatchObject({ sqlState: 'PT409' })
    expect(await stored(bank, id)).toMatchObject({ status: 'done' })
    expect((await returnTransfer(colleague, id)).status).toBe('returned')
  },
)
