// Staff can request a change of a customer's email address (docs/decisions/0060). Access to the new mailbox alone does
// not give access to the account. A pending change expires after 72 hours, unless the owner or staff cancel the change
// first.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, ageProof, run } from './people.ts'

const bank = useBank()

/**
 * Adds a confirmed customer who last entered the password eleven minutes ago. Then requests a change of this customer's
 * address on behalf of the bank.
 */
async function withChange({ next = `${crypto.randomUUID()}@banco.example`, isConfirmed = true } = {}) {
  const customer = await bank.addCustomer()
  await ageProof(customer, 11)
  await bank.asService(
    sql`update auth.users set email_confirmed_at = now(), encrypted_password = 'kept' where id = ${customer.id}`,
  )
  const links = { confirm: crypto.randomUUID(), cancel: crypto.randomUUID() }
  await bank.asService(sql`
    select auth.begin_address_change(
      ${customer.id}, ${next}, ${links.confirm}, ${links.cancel}, ${crypto.randomUUID()})`)
  if (isConfirmed) await answer(links.confirm)
  return { customer, next, ...links }
}

const answer = async (hash: string) => {
  const [[answered]] = await bank.asService(
    sql<{ outcome: string }>`select a.outcome from auth.answer_address_change(${hash}) as a`,
  )
  return answered?.outcome ?? null
}
const accept = async ({ id, sessionId }: Person, next: string) => {
  const [[accepted]] = await bank.asService(
    sql<{ is_done: boolean }>`select auth.accept_address_change(${id}, ${sessionId}, ${next}) as is_done`,
  )
  return accepted?.is_done
}
const letPass = ({ id }: Person, hours: number) =>
  bank.asService(sql`
    update auth.address_changes set counts_at = counts_at - make_interval(hours => ${hours}) where user_id = ${id}`)
const sweep = () => bank.asService(sql`select auth.purge_expired()`)
const emailOf = async ({ id }: Person) =>
  (await bank.owner.query(sql<{ email: string }>`select email from auth.users where id = ${id}`))[0]?.email
const sessionsOf = ({ id }: Person) =>
  bank.owner.query(sql`select id from auth.sessions where user_id = ${id}`)
const told = async (email: string) =>
  (
    await bank.owner.query(sql<{ topic: string }>`
      select notice ->> 'topic' as topic from auth.outgoing_mails
      where notice ->> 'to' = ${email} order by created_at`)
  ).map(({ topic }) => topic)
const presentOf = ({ id }: Person) => `${id}@banco.example`

test('a requested change sends mail to both addresses, and the stored mails contain no secret', async () => {
  const { customer, next, confirm, cancel } = await withChange({ isConfirmed: false })

  expect([await told(presentOf(customer)), await told(next)]).toEqual([
    ['begin_email_change'],
    ['confirm_email_change'],
  ])
  const notices = JSON.stringify(await bank.owner.query(sql`select notice from auth.outgoing_mails`))
  expect(notices).not.toContain(confirm)
  expect(notices).not.toContain(cancel)
})

test('the link in the new mailbox cannot change the address or open a session', async () => {
  const { customer, next, confirm } = await withChange({ isConfirmed: false })

  expect([await answer(confirm), await answer(confirm)]).toEqual(['confirmed', 'confirmed'])

  expect(await emailOf(customer)).toBe(presentOf(customer))
  expect(await sessionsOf(customer)).toEqual([{ id: customer.sessionId }])
  await expect(accept(customer, next)).rejects.toMatchObject({
    sqlState: '42501',
    hint: 'reauthentication_needed',
  })
})

test('a customer who has just entered the password can accept a new address only after the link in the new mailbox was followed', async () => {
  const { customer, next, confirm } = await withChange({ isConfirmed: false })
  await ageProof(customer, 0)

  expect(await accept(customer, next)).toBe(false)
  await answer(confirm)
  expect(await accept(customer, presentOf(await bank.addCustomer()))).toBe(false)
  expect(await accept(customer, next)).toBe(true)

  expect(await emailOf(customer)).toBe(next)
  expect(await told(presentOf(customer))).toEqual(['begin_email_change', 'set_email'])
})

test('a confirmed change takes effect without changing the password or opening a session', async () => {
  const { customer, next } = await withChange()
  await letPass(customer, 71)
  await sweep()
  const before = await emailOf(customer)
  await letPass(customer, 1)

  await sweep()

  expect([before, await emailOf(customer)]).toEqual([presentOf(customer), next])
  expect(await sessionsOf(customer)).toHaveLength(1)
  expect(
    await bank.owner.query(sql`select encrypted_password as p from auth.users where id = ${customer.id}`),
  ).toEqual([{ p: 'kept' }])
  expect(await told(presentOf(customer))).toEqual(['begin_email_change', 'set_email'])
})

test('an unconfirmed change is deleted and its link becomes invalid', async () => {
  const { customer, confirm } = await withChange({ isConfirmed: false })
  await letPass(customer, 72)

  expect(await answer(confirm)).toBe(null)
  await sweep()

  expect(
    await bank.owner.query(sql`select from auth.address_changes where user_id = ${customer.id}`),
  ).toEqual([])
  expect(await emailOf(customer)).toBe(presentOf(customer))
})

test('an address change fails if another account has taken the address in the meantime', async () => {
  const other = await bank.addCustomer()
  const { customer } = await withChange({ next: presentOf(other) })
  await letPass(customer, 72)

  await sweep()

  expect(await emailOf(customer)).toBe(presentOf(customer))
  expect(await told(presentOf(customer))).toEqual(['begin_email_change'])
})

test('the address of a blocked user does not change', async () => {
  const { customer } = await withChange()
  await letPass(customer, 72)
  await bank.asService(
    sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${customer.id}`,
  )

  await sweep()

  expect(await emailOf(customer)).toBe(presentOf(customer))
})

test.each<[string, (change: Awaited<ReturnType<typeof withChange>>) => Promise<unknown>]>([
  ['the link in the mail to the current address', ({ cancel }) => answer(cancel)],
  [
    'a new password',
    ({ customer: { id, sessionId } }) =>
      bank.asService(sql`select auth.settle_password(${id}, ${sessionId})`),
  ],
  ['staff', ({ customer: { id } }) => run(bank.administrator, sql`select public.cancel_email_change(${id})`)],
])('%s cancels a pending change', async (_, end) => {
  const change = await withChange()
  const { customer, next, confirm, cancel } = change

  await end(change)

  expect([await answer(confirm), await answer(cancel)]).toEqual([null, null])
  await ageProof(customer, 0)
  expect(await accept(customer, next)).toBe(false)
})

test('staff can cancel a pending change only once, with an audit entry and a mail', async () => {
  const { customer } = await withChange()
  const cancel = () => run(bank.administrator, sql`select public.cancel_email_change(${customer.id})`)

  await cancel()
  await expect(cancel()).rejects.toMatchObject({
    sqlState: 'PT409',
    message: 'No hay ningún cambio de email en espera.',
  })

  expect(
    await bank.owner.query(sql`select action from ledger.audit where target = ${customer.id} order by id`),
  ).toEqual([{ action: 'cancel_email_change' }])
  expect(await told(presentOf(customer))).toEqual(['begin_email_change', 'cancel_email_change'])
})

test('the audit log contains only an HMAC of the new address', async () => {
  const { id } = await bank.addCustomer()
  const mac = 'ab'.repeat(32)
  const begin = (address: string | null) =>
    run(bank.administrator, sql`select private.begin_email_change(${id}, null, null, ${address})`)

  await begin(mac)
  await begin(null)
  await expect(begin('ana@banco.example')).rejects.toMatchObject({ sqlState: '22023' })

  expect(
    await bank.owner.query(sql`select after from ledger.audit where target = ${id} order by id`),
  ).toEqual([{ after: { address_mac: mac } }, { after: null }])
})

test('an address change that the customer requested ends when its last link expires', async () => {
  const { id } = await bank.addCustomer()
  await bank.asService(
    sql`
      select auth.request_email_change(
        ${id}, ${`${id}@otro.example`}, ${`${id} current`}, null, ${`${id} new`}, null, 3600, 600, null, null)`,
    sql`update auth.users set email_change_confirm_status = 1 where id = ${id}`,
    sql`delete from auth.one_time_tokens where token_hash = ${`${id} current`}`,
  )
  const waiting = async () =>
    (
      await bank.asService(
        sql<{
          waits: boolean
        }>`select auth.can_confirm_email_change(u) as waits from auth.users u where id = ${id}`,
      )
    )[0][0]?.waits
  const before = await waiting()
  await bank.asService(sql`update auth.one_time_tokens set expires_at = now() where user_id = ${id}`)

  expect([before, await waiting()]).toEqual([true, false])
  await sweep()
  expect(
    await bank.owner.query(
      sql`select email_change as next, email_change_confirm_status as agreed from auth.users where id = ${id}`,
    ),
  ).toEqual([{ next: null, agreed: 0 }])
})

test('the link of an address change confirms an unconfirmed account and removes the account’s password', async () => {
  const { id } = await bank.addCustomer()
  await bank.asService(
    sql`update auth.users set encrypted_password = 'of a stranger' where id = ${id}`,
    sql`select auth.begin_address_change(${id}, ${`${id}@otro.example`}, ${`${id} a`}, ${`${id} b`}, ${id})`,
  )

  expect(await answer(`${id} a`)).toBe('confirmed')

  expect(
    await bank.owner.query(
      sql`select email, encrypted_password as p, email_confirmed_at is not null as c from auth.users where id = ${id}`,
    ),
  ).toEqual([{ email: `${id}@otro.example`, p: null, c: true }])
})

test('the new address of an account that the bank opened takes effect only after 72 hours', async () => {
  const opened = await bank.addCustomer()
  const { id } = opened
  await bank.asService(
    sql`select auth.begin_address_change(${id}, ${`${id}@otro.example`}, ${`${id} a`}, ${`${id} b`}, ${id})`,
  )

  expect(await answer(`${id} a`)).toBe('confirmed')
  expect(await emailOf(opened)).toBe(presentOf(opened))

  await letPass(opened, 72)
  await sweep()
  expect(await emailOf(opened)).toBe(`${id}@otro.example`)
})
