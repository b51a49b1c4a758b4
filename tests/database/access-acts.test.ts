// An administrator who gave or changed a customer's access within the last 90 days decides no transfer of this customer
// (docs/decisions/0080).
import { expect, inject, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { becomeAuthenticationService } from '#server/functions/local-access.ts'
import { createUserStatements } from '#server/people/users.ts'
import { postAll } from './batches.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, balanceOf, deposit, openSession, run } from './people.ts'
import { enableTransfers, request, returnTransfer, stored } from './transfers.ts'
import { decide, waitingRequests } from './decisions.ts'
import { addHolder, addPair, add, befriend, confirm } from './beneficiaries.ts'

const bank = useBank(enableTransfers)
const addClerk = async () => {
  const clerk = await addPerson(bank.database, 'admin')
  await bank.asService(sql`update auth.users set email_confirmed_at = now() where id = ${clerk.id}`)
  return clerk
}
const refused = { sqlState: 'PT403', message: expect.stringMatching(/decide otra persona/) as string }

/** Opens an account in the same way as the function manage-users. */
async function createUser(clerk: Person): Promise<Person> {
  const id = crypto.randomUUID()
  const user = {
    id,
    email: `${id}@banco.example`,
    passwordHash: '$',
    fullName: 'Ana Pérez',
    role: 'user',
  } as const
  await bank.database.transaction(clerk.as('write'), [
    becomeAuthenticationService,
    ...createUserStatements(user),
  ])
  return openedAccount(id)
}

/** Returns the customer of an account that is already open, with a session that just proved the password. */
async function openedAccount(id: string): Promise<Person> {
  const person = await openSession({ id, database: bank.database })
  await bank.asService(
    sql`update auth.sessions set amr = auth.amr_of('password') where id = ${person.sessionId}`,
    sql`update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()) where id = ${id}`,
  )
  return person
}

/** Opens an account in a file, and returns the batch and the customer's id. */
async function openInFile(clerk: Person): Promise<{ batch: string; id: string }> {
  const batch = crypto.randomUUID()
  const lines = [{ line: 2, full_name: 'Ana Pérez', email: `${batch}@banco.example`, amount: 5 }]
  await run(
    clerk,
    sql`select public.create_customers(${batch}, 'clientes.csv', ${JSON.stringify(lines)}::json)`,
  )
  await postAll(bank)
  const [opened] = await bank.owner.query(
    sql<{ id: string }>`select user_id as id from public.batch_lines where batch_id = ${batch}`,
  )
  return { batch, id: opened?.id ?? '' }
}
async function inviteAll(clerk: Person, batch: string): Promise<void> {
  await run(clerk, sql`select public.invite_customers(${batch})`)
  await bank.asService(sql`select private.claim_invitations(1000, 100000)`)
}

/** Makes a waiting transfer of this payer to this payee, and returns its id. */
async function transferBetween(payer: Person, payee: Person): Promise<string> {
  await run(bank.administrator, deposit(payer, '5000'))
  await bank.owner.query(sql`delete from private.staff_passwords where user_id = ${payer.id}`)
  return (await request(payer, await befriend(payer, payee), '500')).id
}

async function expectOnlyAnotherDecides(clerk: Person, id: string): Promise<void> {
  for (const approves of [true, false])
    await expect(decide(clerk, [id], approves)).rejects.toMatchObject(refused)
  const { requests } = await waitingRequests(clerk)
  expect(requests.find((listed) => listed.id === id)).toMatchObject({ obstacle: 'keys', is_stuck: false })
  expect(await decide(await addClerk(), [id], true)).toMatchObject([{ status: 'done' }])
  await expect(returnTransfer(clerk, id)).rejects.toMatchObject(refused)
}

test('the administrator who created the payer’s account cannot decide its transfers, and another can', async () => {
  const clerk = await addClerk()
  const payer = await createUser(clerk)

  await expectOnlyAnotherDecides(clerk, await transferBetween(payer, await addHolder(bank, '0')))
})

test('the administrator whose file opened the payer’s account cannot decide its transfers, and another can', async () => {
  const clerk = await addClerk()
  const { id } = await openInFile(clerk)

  await expectOnlyAnotherDecides(
    clerk,
    await transferBetween(await openedAccount(id), await addHolder(bank, '0')),
  )
})

test('the administrator who took over the payer’s invitation cannot decide its transfers, and another can', async () => {
  const [sender, clerk] = [await addClerk(), await addClerk()]
  const { batch, id } = await openInFile(sender)
  await run(sender, sql`select public.invite_customers(${batch})`)
  await inviteAll(clerk, batch)

  await expectOnlyAnotherDecides(
    clerk,
    await transferBetween(await openedAccount(id), await addHolder(bank, '0')),
  )
})

const changes: readonly [string, (person: Person) => SqlStatement][] = [
  ['holder', ({ id }) => sql`select public.correct_holder(${id}, 'Otra Persona')`],
  ['address', ({ id }) => sql`select private.begin_email_change(${id})`],
  ['factor', ({ id }) => sql`select public.reset_factor(${id})`],
  ['link', ({ id }) => sql`select private.begin_link_mail(${id})`],
  ['block', ({ id }) => sql`select public.block_user(${id}, 'other', 24)`],
]
const sides = ['payer', 'payee'] as const

test.for(changes.flatMap((change) => sides.map((side) => [change[0], side, change[1]] as const)))(
  'the administrator who changed the %s of the %s cannot decide the transfer, and another can',
  async ([act, side, change]) => {
    const clerk = await addClerk()
    const { payer, payee, beneficiary } = await addPair(bank)
    await run(clerk, change({ payer, payee }[side]))
    // Another administrator ends the block, because a blocked account neither pays nor receives.
    if (act === 'block')
      await run(bank.administrator, sql`select public.unblock_user(${{ payer, payee }[side].id})`)
    const live = await openedAccount(payer.id)

    await expectOnlyAnotherDecides(clerk, (await request(live, beneficiary, '500')).id)
  },
)

test('the administrator who ended a block or cancelled a change of address cannot decide the transfer', async () => {
  const [unblocker, canceller] = [await addClerk(), await addClerk()]
  const { payer, beneficiary } = await addPair(bank)
  await run(bank.administrator, sql`select public.block_user(${payer.id}, 'other', 24)`)
  await run(unblocker, sql`select public.unblock_user(${payer.id})`)
  await bank.asService(
    sql`select auth.begin_address_change(${payer.id}, 'otra@banco.example', 'a', 'b', gen_random_uuid())`,
  )
  await run(canceller, sql`select public.cancel_email_change(${payer.id})`)
  const { id } = await request(await openedAccount(payer.id), beneficiary, '500')

  for (const clerk of [unblocker, canceller])
    await expect(decide(clerk, [id], true)).rejects.toMatchObject(refused)
})

test('the administrator who only opened the payee’s account may decide the transfer', async () => {
  const clerk = await addClerk()
  const payee = await createUser(clerk)
  const id = await transferBetween(await addHolder(bank), payee)

  expect(await decide(clerk, [id], true)).toMatchObject([{ status: 'done' }])
})

test('an act on the payer’s access counts for 90 days, and is purged afterwards', async () => {
  const clerk = await addClerk()
  const { payer, beneficiary } = await addPair(bank)
  await run(clerk, sql`select public.correct_holder(${payer.id}, 'Otra Persona')`)
  const { id } = await request(payer, beneficiary, '500')
  const age = (interval: string) =>
    bank.owner.query(sql`
      update private.access_acts set acted_at = now() - ${interval}::interval where clerk = ${clerk.id}`)
  const purge = () => bank.owner.query(sql`select private.purge_expired(1000)`)
  const acts = () =>
    bank.owner.query(
      sql`select act from private.access_acts where clerk = ${clerk.id} and person = ${payer.id}`,
    )

  await age('89 days 23 hours')
  await purge()
  await expect(decide(clerk, [id], true)).rejects.toMatchObject(refused)
  await age('90 days 1 hour')
  expect(await decide(clerk, [id], true)).toMatchObject([{ status: 'done' }])
  await purge()
  expect(await acts()).toEqual([])
})

test('a command of the operator gives the keys to no administrator', async () => {
  const { payer, beneficiary } = await addPair(bank)
  await bank.database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`select private.act_as('operator')`,
    sql`select private.reset_factor(${payer.id})`,
  ])
  const { id } = await request(await openedAccount(payer.id), beneficiary, '500')

  expect(await decide(bank.administrator, [id], true)).toMatchObject([{ status: 'done' }])
})

test('administrators who hold the keys get no mail, and the list says when nobody can decide', async () => {
  const administrators = await bank.owner.query(
    sql<{ id: string }>`select id from public.profiles where role = 'admin'`,
  )
  const { payer, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '500')
  await bank.owner.query(sql`
    update public.requests set asked_at = asked_at - interval '1 minute' where id = ${id}`)
  await bank.owner.query(sql`
    update public.requests set status = 'cancelled', ended_at = now() where status = 'waiting' and id <> ${id}`)
  for (const administrator of administrators)
    await bank.owner.query(sql`select private.record_access_act('holder', ${payer.id}, ${administrator.id})`)
  await bank.owner.query(sql`delete from private.notice_marks`)

  const mails = () => bank.owner.query(sql<{ told: number }>`select private.tell_deciders() as told`)
  expect(await mails()).toEqual([{ told: 0 }])
  const { requests } = await waitingRequests(bank.administrator)
  expect(requests).toMatchObject([{ id, obstacle: 'keys', is_stuck: true }])
  await addClerk()
  expect(await mails()).toEqual([{ told: 1 }])
})

// The embedded engine runs one call after another.
test.skipIf(inject('cluster') === null)(
  'a decision and an act on access at the same moment are never both accepted in the forbidden order',
  async () => {
    for (let round = 0; round < 25; round += 1) {
      const clerk = await addClerk()
      const { payer, beneficiary } = await addPair(bank)
      const { id } = await request(payer, beneficiary, '500')
      await Promise.allSettled([
        run(clerk, sql`select public.reset_factor(${payer.id})`),
        decide(clerk, [id], true),
      ])
      const order = await bank.owner.query(
        sql<{ action: string }>`
          select action from ledger.audit where actor = ${clerk.id} and action in ('reset_factor', 'decide_request') order by id`,
      )
      expect(order.map(({ action }) => action).join()).not.toBe('reset_factor,decide_request')
      expect((await stored(bank, id))?.status).toBe(order.length === 2 ? 'done' : 'waiting')
    }
  },
)

test('the payer gets a mail about each transfer above the automatic limit, without asking for it', async () => {
  const { payer, beneficiary } = await addPair(bank)
  const mails = () =>
    bank.owner.query(sql`
      select notice ->> 'to' as to from auth.outgoing_mails where notice ->> 'topic' = 'transfer_waits'`)
  await bank.owner.query(sql`delete from auth.outgoing_mails`)

  const small = await request(payer, beneficiary, '100')
  expect([small.status, await mails()]).toEqual(['done', []])
  await request(payer, beneficiary, '0.01')

  expect(await mails()).toEqual([{ to: `${payer.id}@banco.example` }])
})

// The first password -----------------------------------------------------------------------------------------------

const ownPassword = { sqlState: 'PT403', hint: 'own_password_needed' }

test('a customer whose password an administrator typed confirms no beneficiary and requests no transfer', async () => {
  const clerk = await addClerk()
  const [payer, payee] = [await createUser(clerk), await addHolder(bank, '0')]
  await run(bank.administrator, deposit(payer, '500'))
  const { id } = await add(payer, `${payee.id}@banco.example`)

  await expect(confirm(payer, id)).rejects.toMatchObject(ownPassword)
  await expect(request(payer, id, '1')).rejects.toMatchObject(ownPassword)
  await run(
    payer,
    sql`insert into public.transactions (user_id, type, description, amount) values (${payer.id}, 'expense', 'Café', 1)`,
  )
  expect(await balanceOf(payer)).toBe('499')
})

test.for([
  [['recovery'], true],
  [['invite'], true],
  [['otp'], true],
  [['totp', 'recovery'], true],
  [['password'], false],
  [['otp', 'password'], false],
  [['password', 'otp'], false],
  [['password', 'recovery'], false],
  [[], false],
] as const)(
  'a password set in a session of %j makes the account the customer’s own: %j',
  async ([methods, isOwn]) => {
    const payer = await createUser(await addClerk())
    await bank.asService(
      sql`
      update auth.sessions set amr = coalesce((
        select jsonb_agg(jsonb_build_object('method', m, 'timestamp', 1)) from unnest(${`{${methods.join()}}`}::text[]) m
      ), '[]') where id = ${payer.sessionId}`,
      sql`select private.note_own_password(${payer.id}, ${payer.sessionId})`,
    )

    const kept = await bank.owner.query(
      sql`select user_id from private.staff_passwords where user_id = ${payer.id}`,
    )
    expect(kept).toHaveLength(isOwn ? 0 : 1)
  },
)

test('an account that was opened in a file has no password that an administrator knows', async () => {
  const { id } = await openInFile(await addClerk())

  expect(await bank.owner.query(sql`select from private.staff_passwords where user_id = ${id}`)).toEqual([])
})
