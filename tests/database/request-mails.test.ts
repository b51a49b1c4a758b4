// Administrators get a mail if a request that they can decide is waiting. An administrator gets at most one mail in an
// hour, and the mail does not show the request.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { stop } from './notifications.ts'
import { type Person, addPerson, deposit, run } from './people.ts'
import { enableTransfers, request } from './transfers.ts'
import { decide } from './decisions.ts'
import { addHolder, addressOf, befriend } from './beneficiaries.ts'

const bank = useBank()
const approvalAbove = (sum: number | null) => bank.asService(settings({ staff_approval_above: sum }))

let clerk: Person
let other: Person
beforeEach(async () => {
  await enableTransfers(bank)
  clerk = await addAdministrator()
  other = await addAdministrator()
})
afterEach(async () => {
  await approvalAbove(null)
  await bank.owner.query(
    sql`update public.requests set status = 'cancelled', ended_at = now() where status = 'waiting'`,
  )
  await bank.owner.query(sql`delete from auth.outgoing_mails`)
})

async function addAdministrator(): Promise<Person> {
  const person = await addPerson(bank.database, 'admin')
  await bank.asService(sql`update auth.users set email_confirmed_at = now() where id = ${person.id}`)
  return person
}

/** Adds a waiting transfer that was requested a minute ago, and returns its id. */
async function waitingTransfer(payee?: Person): Promise<string> {
  const payer = await addHolder(bank)
  const { id } = await request(payer, await befriend(payer, payee ?? (await addHolder(bank))), '500')
  return aged(id)
}

async function aged(id: string): Promise<string> {
  await bank.owner.query(
    sql`update public.requests set asked_at = asked_at - interval '1 minute' where id = ${id}`,
  )
  return id
}

/** Queues the mails as the server does every minute. Returns those of the given people who got a mail. */
async function mailed(people: readonly Person[] = [clerk, other]): Promise<Person[]> {
  await bank.owner.query(sql`delete from auth.outgoing_mails`)
  await bank.owner.query(sql`select private.tell_deciders()`)
  const mails = await bank.owner.query(sql<{ to: string; facts: object }>`
    select notice ->> 'to' as to, notice -> 'facts' as facts from auth.outgoing_mails
    where notice ->> 'topic' = 'request'`)
  // The mail contains nothing about the request.
  expect(new Set(mails.flatMap(({ facts }) => Object.keys(facts)))).toEqual(new Set(mails.map(() => 'seed')))
  return people.filter((person) => mails.some(({ to }) => to === addressOf(person)))
}

/** Moves all stored times some minutes into the past. */
async function age(minutes: number): Promise<void> {
  await bank.owner.query(sql`
    update private.notice_marks set
      mailed_at = mailed_at - make_interval(mins => ${minutes}),
      stopped_until = stopped_until - make_interval(mins => ${minutes})`)
  await bank.owner.query(
    sql`update public.requests set asked_at = asked_at - make_interval(mins => ${minutes}) where status = 'waiting'`,
  )
}

test('every administrator who can decide a waiting transfer gets a mail', async () => {
  await waitingTransfer()

  expect(await mailed()).toEqual([clerk, other])
})

test('an administrator who is the payee of a transfer gets no mail about that transfer', async () => {
  await run(bank.administrator, deposit(other, '1'))
  await waitingTransfer(other)

  expect(await mailed()).toEqual([clerk])
})

test('an administrator gets no mail about their own request', async () => {
  await approvalAbove(1000)
  const customer = await bank.addCustomer()
  await bank.asService(settings({ transferencias: 'off', notificaciones: 'off' }))
  await run(clerk, deposit(customer, '2000'))
  await bank.owner.query(
    sql`update public.requests set asked_at = asked_at - interval '1 minute' where asked_by = ${clerk.id}`,
  )

  expect(await mailed()).toEqual([other])
})

test('people who cannot sign in as administrators get no mail', async () => {
  const [blocked, demoted, unconfirmed] = [
    await addAdministrator(),
    await addHolder(bank),
    await addPerson(bank.database, 'admin'),
  ]
  await bank.asService(
    sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${blocked.id}`,
    sql`update auth.users set email_confirmed_at = null where id = ${unconfirmed.id}`,
  )
  await waitingTransfer()

  expect(await mailed([clerk, blocked, demoted, unconfirmed])).toEqual([clerk])
})

test('an administrator gets at most one mail in an hour, and only about new requests', async () => {
  await waitingTransfer()
  expect(await mailed()).toEqual([clerk, other])
  await age(59)
  const second = await waitingTransfer()
  expect(await mailed()).toEqual([])
  await age(1)

  expect(await mailed()).toEqual([clerk, other])
  await age(60)
  expect(await mailed()).toEqual([])
  expect(await decide(clerk, [second], true)).toMatchObject([{ status: 'done' }])
})

test('a mail about a request that was made a moment ago is sent by a later call', async () => {
  const payer = await addHolder(bank)
  const { id } = await request(payer, await befriend(payer, await addHolder(bank)), '500')

  expect(await mailed()).toEqual([])
  await aged(id)
  expect(await mailed()).toEqual([clerk, other])
})

test('the bank does not send a mail about a transfer that needs no decision or has already been decided', async () => {
  const payer = await addHolder(bank)
  await aged((await request(payer, await befriend(payer, await addHolder(bank)), '1')).id)
  await decide(clerk, [await waitingTransfer()], false)

  expect(await mailed()).toEqual([])
})

test('the link in the mail stops the mails of one administrator for 30 days', async () => {
  await bank.asService(settings({ transferencias: 'on', notificaciones: 'off' }))
  await waitingTransfer()
  await mailed()
  const [row] = await bank.owner.query(
    sql<{ seed: string }>`select seed from private.notice_marks where recipient = ${clerk.id}`,
  )

  expect(await stop(bank, row?.seed ?? '')).toBe('request')
  expect(await stop(bank, row?.seed ?? '')).toBeNull()
  await age(29 * 24 * 60)
  await waitingTransfer()
  expect(await mailed()).toEqual([other])
  await age(24 * 60)
  await waitingTransfer()
  expect(await mailed()).toEqual([clerk, other])
})

test('a bank without transfers and without a second administrator does not send mails', async () => {
  await waitingTransfer()
  await bank.asService(settings({ transferencias: 'off', notificaciones: 'off' }))

  expect(await mailed()).toEqual([])
})

test('a request of the last ten seconds is left to the next minute', async () => {
  const id = await waitingTransfer()
  const askedAgo = (seconds: number) =>
    bank.owner.query(
      sql`update public.requests set asked_at = now() - make_interval(secs => ${seconds}) where id = ${id}`,
    )
  await askedAgo(5)
  expect(await mailed()).toEqual([])

  await askedAgo(11)
  expect(await mailed()).toEqual([clerk, other])
})
