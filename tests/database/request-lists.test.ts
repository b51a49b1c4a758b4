// Administrators list the requests of all customers. Customers cannot list these requests, and the audit records each
// session that lists them.
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, closeAccount, run } from './people.ts'
import { cancel, day, enableTransfers, request } from './transfers.ts'
import { decidedRequests, waitingRequests } from './decisions.ts'
import { addHolder, addPair, befriend, payerElsewhere, removeBeneficiary } from './beneficiaries.ts'

const bank = useBank()
let payer: Person
let payee: Person
let beneficiary: string

beforeAll(async () => {
  await enableTransfers(bank)
  ;({ payer, payee, beneficiary } = await addPair(bank))
})

const ask = (amount: string, wanted: Parameters<typeof request>[3] = {}) =>
  request(payer, beneficiary, amount, wanted)

test('the queue shows the riskiest requests first, with the names of payer and payee', async () => {
  const [first, second] = [await ask('110'), await ask('120')]
  await bank.owner.query(sql`update public.requests set risk = 0 where id = ${first.id}`)
  await bank.owner.query(sql`update public.profiles set full_name = ' ' where id = ${payee.id}`)

  const queue = await waitingRequests(bank.administrator)

  expect(queue.total).toBe(2)
  expect(queue.requests.map(({ id }) => id)).toEqual([second.id, first.id])
  expect(queue.requests[1]).toMatchObject({
    payer: payer.id,
    payer_name: 'Ana Pérez',
    payee: payee.id,
    payee_name: `${payee.id}@banco.example`,
    amount: 110,
    risk: 0,
  })
  await bank.owner.query(sql`
    update public.requests set expires_at = '2027-01-02T00:00:00Z' where id = ${first.id}`)
  expect(await waitingRequests(bank.administrator, 1)).toMatchObject({
    total: 2,
    amount: 230,
    first_expires_at: queue.requests[0]?.expires_at,
    requests: [{ id: second.id }],
  })
  for (const { id } of queue.requests) await cancel(payer, id)
  expect(await waitingRequests(bank.administrator)).toEqual({
    total: 0,
    amount: 0,
    first_expires_at: null,
    requests: [],
  })
})

test('the queue shows the name that the payee will read, even if the payer has changed it', async () => {
  await bank.owner.query(sql`update public.profiles set full_name = 'El banco' where id = ${payer.id}`)
  const { id } = await ask('130')
  await bank.owner.query(sql`update public.profiles set full_name = 'Ana Pérez' where id = ${payer.id}`)

  const queue = await waitingRequests(bank.administrator)

  expect(queue.requests.find((request) => request.id === id)).toMatchObject({ payer_name: 'El banco' })
  await cancel(payer, id)
})

test('the list of decided requests is read page by page with the newest first', async () => {
  const done = await ask('1')
  const scheduled = await ask('1', { due_on: await day(bank, 1) })
  const cancelled = await cancel(payer, (await ask('500')).id)
  await ask('500')
  const ids = async (wanted: Parameters<typeof decidedRequests>[1]) =>
    (await decidedRequests(bank.administrator, wanted)).map(({ id }) => id)

  const [newest = null] = await decidedRequests(bank.administrator, { rowsMax: 1 })
  expect(newest?.id).toBe(cancelled.id)
  expect(await ids({ after: newest, rowsMax: 2 })).toEqual([scheduled.id, done.id])
  expect(await ids({ state: 'scheduled' })).toEqual([scheduled.id])
  expect(await ids({ state: 'done', after: newest })).toEqual([done.id])
  expect(await ids({ state: 'waiting' })).toEqual([])
})

test('each of several requests with the same timestamp is on exactly one page', async () => {
  const twins = [(await ask('1')).id, (await ask('1')).id]
  await bank.owner.query(sql`
    update public.requests set asked_at = now() where id in (${twins[0] ?? ''}, ${twins[1] ?? ''})`)

  const [first = null] = await decidedRequests(bank.administrator, { rowsMax: 1 })
  const [second] = await decidedRequests(bank.administrator, { after: first, rowsMax: 1 })

  expect(new Set([first?.id, second?.id])).toEqual(new Set(twins))
})

test('the list of decided requests does not name the owner of a deleted account', async () => {
  const [gone, other] = [await addHolder(bank), await addHolder(bank)]
  await request(gone, await befriend(gone, other), '1')
  await closeAccount(gone)

  const [newest] = await decidedRequests(bank.administrator)

  expect(newest).toMatchObject({ payer: gone.id, payer_name: null, payee_name: 'Ana Pérez' })
})

const lists = [sql`select public.list_waiting_requests()`, sql`select public.list_decided_requests()`]

test('each list adds one audit entry per session and hour', async () => {
  const clerk = await addPerson(bank.database, 'admin')
  for (const list of lists) await run(clerk, list)
  for (const list of lists) await run(clerk, list)

  expect(
    await bank.owner.query(
      sql`select action, target from ledger.audit where actor = ${clerk.id} order by id`,
    ),
  ).toEqual([
    { action: 'list_requests', target: null },
    { action: 'list_decided_requests', target: null },
  ])
})

test('a waiting transfer shows what is left after it and what the payer usually sends', async () => {
  const { payer, beneficiary } = await addPair(bank)
  await request(payer, beneficiary, '40')
  await request(payer, beneficiary, '30')
  const { id } = await request(payer, beneficiary, '500')
  await request(payer, beneficiary, '600')
  await bank.owner.query(sql`
    update public.beneficiaries set confirmed_at = '2026-11-01T12:00:00Z' where user_id = ${payer.id}`)

  const { requests } = await waitingRequests(bank.administrator)

  expect(requests.find((request) => request.id === id)?.facts).toEqual({
    balance: null,
    held: null,
    available_after: 3830,
    has_sent: true,
    usual_max: 40,
    sent_recently: 2,
    transfers_today: 4,
    payee_since: '2026-11-01T12:00:00+00:00',
    access_acts: [],
  })
  await bank.owner.query(sql`
    update public.requests set asked_at = now() - interval '91 days'
    where payer = ${payer.id} and status = 'done' and amount = 40`)
  const later = await waitingRequests(bank.administrator)
  expect(later.requests.find((request) => request.id === id)?.facts).toMatchObject({
    usual_max: 30,
    sent_recently: 1,
    has_sent: true,
  })
  const [decided] = await decidedRequests(bank.administrator, { rowsMax: 1 })
  expect(decided?.facts).toBeNull()
  for (const waiting of requests) if (waiting.payer === payer.id) await cancel(payer, waiting.id)
})

test('a waiting transfer does not show since when the payer knew a beneficiary that the payer has removed', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '500')
  await removeBeneficiary(payer, beneficiary)

  const { requests } = await waitingRequests(bank.administrator)

  expect(requests.find((request) => request.id === id)?.facts?.payee_since).toBeNull()
  await cancel(payer, id)
})

test('a first transfer to another bank shows no usual amount', async () => {
  const { payer, beneficiary } = await payerElsewhere(bank)
  const { id } = await request(payer, beneficiary, '500')
  const { requests } = await waitingRequests(bank.administrator)

  const { facts } = requests.find((request) => request.id === id) ?? {}
  expect(facts).toMatchObject({ available_after: 4500, has_sent: false, usual_max: null, transfers_today: 1 })
  expect(facts?.payee_since).not.toBeNull()
  await cancel(payer, id)
})

test('a waiting request shows the recent acts on the access of the person whom it concerns', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '500')
  await bank.owner.query(sql`
    insert into private.orders (id, kind, asked_by, asked_at, about, counts, details)
    select gen_random_uuid(), kind, ${bank.administrator.id}, now() - age, ${payer.id}, false, details
    from (values
      ('send_link', interval '2 days', null::jsonb), ('send_link', interval '9 days', null),
      ('begin_email_change', interval '1 day', null), ('block_user', interval '15 days', null),
      ('correct_holder', interval '1 hour', null), ('correct_holder', interval '3 days', '{"id": "1"}'),
      ('end_sessions', interval '1 hour', null)
    ) o (kind, age, details)`)

  const { requests } = await waitingRequests(bank.administrator)

  const { facts } = requests.find((request) => request.id === id) ?? {}
  expect(
    facts?.access_acts?.map(({ act, acted_at: at }) => [
      act,
      Math.round((Date.now() - Date.parse(at)) / 86_400_000),
    ]),
  ).toEqual([
    ['begin_email_change', 1],
    ['send_link', 2],
    ['correct_holder', 3],
  ])
  await cancel(payer, id)
})
