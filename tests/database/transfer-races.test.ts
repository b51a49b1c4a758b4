// Two calls about one transfer at the same moment have the effect of one call after the other. Money moves at most once,
// and no order of calls deadlocks.
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, ageProof, deposit, expense, run } from './people.ts'
import {
  type Transfer,
  addHolder,
  befriend,
  cancel,
  day,
  decide,
  enableTransfers,
  request,
  returnTransfer,
  stored,
} from './transfers.ts'

const bank = useBank()
const rounds = 21
let colleague: Person

beforeAll(async () => {
  await enableTransfers(bank)
  colleague = await addPerson(bank.database, 'admin')
})

type Round = { payer: Person; payee: Person; beneficiary: string; transfer: Transfer }

/** Runs the due requests as the server would `days` later, on a connection of the pool. */
const runDue = (days: number) =>
  bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    sql`select private.run_due_requests(100, now() + make_interval(days => ${days}))`,
  ])

const close = (person: Person) => run(person, sql`select private.delete_own_account()`)

/** Returns the number of postings of a transfer, and the sum of their amounts for the payer and the payee. */
async function movedBy({ transfer, payer, payee }: Round) {
  const [moved] = await bank.owner.query(
    sql<{ postings: number; corrections: number; sum: string }>`
      select
        (select count(*)::integer from ledger.journal where transaction_id = ${transfer.id}) as postings,
        (select count(*)::integer from public.corrections where corrected_id = ${transfer.id}) as corrections,
        (
          select trim_scale(sum(delta))::text from ledger.journal
          where user_id in (${payer.id}, ${payee.id}) and kind <> 'closing'
        ) as sum`,
  )
  return moved
}

type Race = {
  amount: string
  isScheduled?: boolean
  isApproved?: boolean
  acts: readonly ((round: Round) => Promise<unknown>)[]
  ends: readonly string[]
}

const races: Readonly<Record<string, Race>> = {
  'two approvals': {
    amount: '500',
    acts: [
      ({ transfer }) => decide(bank.administrator, [transfer.id], true),
      ({ transfer }) => decide(colleague, [transfer.id], true),
    ],
    ends: ['done'],
  },
  'an approval and a refusal': {
    amount: '500',
    acts: [
      ({ transfer }) => decide(bank.administrator, [transfer.id], true),
      ({ transfer }) => decide(colleague, [transfer.id], false),
    ],
    ends: ['done', 'declined'],
  },
  'an approval and a cancellation': {
    amount: '500',
    acts: [
      ({ transfer }) => decide(bank.administrator, [transfer.id], true),
      ({ transfer, payer }) => cancel(payer, transfer.id),
    ],
    ends: ['done', 'cancelled'],
  },
  'a refusal and the expiry': {
    amount: '500',
    acts: [({ transfer }) => decide(bank.administrator, [transfer.id], false), () => runDue(3)],
    ends: ['declined', 'expired'],
  },
  'an approval and the expiry': {
    amount: '500',
    acts: [({ transfer }) => decide(bank.administrator, [transfer.id], true), () => runDue(3)],
    ends: ['done', 'expired'],
  },
  'two runs on the day of a transfer': {
    amount: '50',
    isScheduled: true,
    acts: [() => runDue(1), () => runDue(1)],
    ends: ['done'],
  },
  'the day of a transfer and its cancellation': {
    amount: '50',
    isScheduled: true,
    acts: [() => runDue(1), ({ transfer, payer }) => cancel(payer, transfer.id)],
    ends: ['done', 'cancelled'],
  },
  'the closing of the payer’s account and an approval': {
    amount: '500',
    acts: [({ payer }) => close(payer), ({ transfer }) => decide(bank.administrator, [transfer.id], true)],
    ends: ['done', 'cancelled'],
  },
  'the closing of the payee’s account and an approval': {
    amount: '500',
    acts: [({ payee }) => close(payee), ({ transfer }) => decide(bank.administrator, [transfer.id], true)],
    ends: ['done', 'failed'],
  },
  'the closing of both accounts': {
    amount: '500',
    acts: [({ payer }) => close(payer), ({ payee }) => close(payee)],
    ends: ['cancelled', 'failed'],
  },
  'two returns': {
    amount: '500',
    isApproved: true,
    acts: [
      ({ transfer }) => returnTransfer(bank.administrator, transfer.id),
      ({ transfer }) => returnTransfer(colleague, transfer.id),
    ],
    ends: ['returned'],
  },
}

describe('each of these pairs has the effect of one call after the other', () => {
  test.for(Object.entries(races))('%s', { timeout: 120_000 }, async ([, race]) => {
    const { amount, isScheduled = false, isApproved = false, acts, ends } = race
    const due_on = isScheduled ? await day(bank, 1) : null
    const seen = new Set<string>()
    for (let place = 0; place < rounds; place += 1) {
      const [payer, payee] = [await addHolder(bank), await addHolder(bank, '0')]
      const beneficiary = await befriend(payer, payee)
      const transfer = await request(payer, beneficiary, amount, { due_on })
      if (isApproved) await decide(bank.administrator, [transfer.id], true)
      const round = { payer, payee, beneficiary, transfer }

      await Promise.all((place % 2 === 0 ? acts : acts.toReversed()).map((act) => act(round)))

      const { status = '' } = (await stored(bank, transfer.id)) ?? {}
      seen.add(status)
      expect(await movedBy(round)).toEqual({
        postings: ['done', 'returned'].includes(status) ? 2 : 0,
        corrections: status === 'returned' ? 2 : 0,
        sum: '5000',
      })
    }
    expect(ends).toEqual(expect.arrayContaining([...seen]))
  })
})

test('a request that is sent twice at the same moment pays once', async () => {
  const [payer, payee] = [await addHolder(bank), await addHolder(bank, '0')]
  const beneficiary = await befriend(payer, payee)
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
  'the closing of the %s’s account and a request of %s leave no open request',
  async ([side, amount]) => {
    for (let place = 0; place < rounds; place += 1) {
      const [payer, payee] = [await addHolder(bank), await addHolder(bank, '0')]
      const beneficiary = await befriend(payer, payee)
      const id = crypto.randomUUID()
      const acts = [
        () => request(payer, beneficiary, amount, { id, description: 'Terapia' }),
        () => close({ payer, payee }[side]),
      ]

      await Promise.allSettled((place % 2 === 0 ? acts : acts.toReversed()).map((act) => act()))

      const { status = 'refused', description = null } = (await stored(bank, id)) ?? {}
      expect(['refused', 'done', { payer: 'cancelled', payee: 'failed' }[side]]).toContain(status)
      if (side === 'payer') expect(description).toBeNull()
    }
  },
)

test('people who are each other’s beneficiaries close their accounts at the same moment', async () => {
  for (let place = 0; place < rounds; place += 1) {
    const [one, two] = [await addHolder(bank, '0'), await addHolder(bank, '0')]
    await befriend(one, two)
    await befriend(two, one)

    await Promise.all([close(one), close(two)])
  }
})

test('the orders of one session are counted one after another without a deadlock', async () => {
  const clerk = await addPerson(bank.database, 'admin')
  await ageProof(clerk, 11)
  for (let place = 0; place < rounds; place += 1) {
    const [payer, payee] = [await addHolder(bank), await addHolder(bank, '0')]
    const beneficiary = await befriend(payer, payee)
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
    const [payer, payee] = [await addHolder(bank), await addHolder(bank, '0')]
    const beneficiary = await befriend(payer, payee)

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
      runDue(0),
    ])
    await bank.owner.query(sql`update public.requests set asked_at = asked_at - interval '2 days'`)
  }

  const ids = people.map(({ id }) => id)
  expect(
    await bank.owner.query(sql`
      select trim_scale(sum(balance))::text as sum from public.budgets where user_id = any (${`{${ids.join()}}`}::uuid[])`),
  ).toEqual([{ sum: String(15_000 - ((rounds / 3) * people.length) / 100) }])
})
