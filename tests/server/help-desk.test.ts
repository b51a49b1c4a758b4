// The operator's commands that change a user's access. tests/wire/functions/access.test.ts tests the same actions
// when staff perform them.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import type { Mail } from '#server/mail/mail-page.ts'
import { accessCommands } from '#server/operator/access.ts'
import type { CommandContext } from '#server/operator/command.ts'
import { helpDeskCommands } from '#server/operator/help-desk.ts'
import { deriveKeys } from '#server/tokens/keys.ts'
import { databaseOfFile, mailerInto } from '#testing/surfaces.ts'

const { database, owner } = await databaseOfFile()
const mails: Mail[] = []
const config = { siteUrl: 'https://banco.example', brandName: 'Banco', supportContact: '' }
const context = {
  config,
  database,
  owner,
  keys: () => Promise.resolve(deriveKeys('a data key of a test')),
  mailer: () => Promise.resolve(mailerInto(mails)),
} as unknown as CommandContext

let email: string
let id: string

beforeEach(async () => {
  mails.length = 0
  ;({ email, id } = await addPerson('user'))
})

async function addPerson(role: 'user' | 'admin') {
  const person = { id: randomUUID(), email: `${randomUUID()}@banco.example` }
  await owner.query(sql`
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, last_sign_in_at, raw_app_meta_data)
    values (${person.id}, ${person.email}, 'x', now(), now(), ${JSON.stringify({ role })})`)
  await owner.query(sql`insert into auth.sessions (user_id) values (${person.id})`)
  await owner.query(sql`
    insert into auth.mfa_factors (user_id, factor_type, status, secret) values (${person.id}, 'totp', 'verified', 'x')`)
  return person
}

const stateOf = async (person: string) =>
  (
    await owner.query(sql<{ banned: boolean; sessions: number; factors: number; acts: string }>`
      select coalesce(u.banned_until > now(), false) as banned,
        (select count(*)::integer from auth.sessions where user_id = u.id) as sessions,
        (select count(*)::integer from auth.mfa_factors where user_id = u.id) as factors,
        (select string_agg(a.origin || ' ' || a.action, ', ' order by a.id) from ledger.audit a
         where a.target = u.id and a.action <> 'create_user') as acts
      from auth.users u where u.id = ${person}`)
  )[0]
const subjects = () => mails.map(({ to, subject }) => [to, subject])
/** Returns the topics of the notices queued for an address, oldest first. */
const told = async (to: string) =>
  (
    await owner.query(
      sql<{ topic: string }>`
        select notice ->> 'topic' as topic from auth.outgoing_mails where notice ->> 'to' = ${to} order by created_at`,
    )
  ).map(({ topic }) => topic)

test('an operator can block and unblock a user, and each action adds an audit entry and a mail', async () => {
  await helpDeskCommands['admin-block'](context, { email, hours: 24, reason: 'other' })
  const blocked = await stateOf(id)
  await helpDeskCommands['admin-unblock'](context, { email: email.toUpperCase() })

  expect(blocked).toMatchObject({ banned: true, sessions: 0, factors: 1 })
  expect(await stateOf(id)).toMatchObject({ banned: false, acts: 'operator ban_user, operator unban_user' })
  expect(await told(email)).toEqual(['ban_user', 'unban_user'])
})

test('each command of the operator about access is an order without an author', async () => {
  const newEmail = `${randomUUID()}@banco.example`
  await helpDeskCommands['admin-block'](context, { email, hours: 24, reason: 'other' })
  await helpDeskCommands['admin-unblock'](context, { email })
  await helpDeskCommands['admin-revoke'](context, { email })
  await helpDeskCommands['admin-reset-factor'](context, { email })
  await helpDeskCommands['admin-change-email'](context, { email, newEmail })
  await helpDeskCommands['admin-cancel-email-change'](context, { email })

  expect(
    await owner.query(sql`
      select kind, details ->> 'reason' as reason from private.orders
      where about = ${id} and asked_by = '00000000-0000-0000-0000-000000000000' order by asked_at`),
  ).toEqual([
    { kind: 'block_user', reason: 'other' },
    { kind: 'unblock_user', reason: null },
    { kind: 'end_sessions', reason: null },
    { kind: 'reset_factor', reason: null },
    { kind: 'begin_email_change', reason: null },
    { kind: 'cancel_email_change', reason: null },
  ])
})

test('a factor reset removes an administrator’s second factor and cancels the pending removal of this factor', async () => {
  const administrator = await addPerson('admin')
  await owner.query(
    sql`update auth.users set factors_end_at = now() + interval '1 day' where id = ${administrator.id}`,
  )

  await helpDeskCommands['admin-reset-factor'](context, administrator)

  expect(await stateOf(administrator.id)).toMatchObject({
    sessions: 0,
    factors: 0,
    acts: 'operator reset_factor',
  })
  expect(
    await owner.query(sql`select factors_end_at as due from auth.users where id = ${administrator.id}`),
  ).toEqual([{ due: null }])
})

test('an access reset cancels a pending factor removal and a pending address change', async () => {
  await owner.query(sql`
    update auth.users
    set factors_end_at = now() + interval '1 day', email_change = 'otro@banco.example', email_change_confirm_status = 1
    where id = ${id}`)

  await accessCommands['admin-reset-access'](
    { ...context, config: { ...config, passwordLengthMin: 8 } } as never,
    {
      email,
    },
  )

  expect(await stateOf(id)).toMatchObject({ sessions: 0, factors: 0, acts: 'operator reset_access' })
  expect(
    await owner.query(sql`
      select factors_end_at as due, email_change as next, email_change_confirm_status as agreed
      from auth.users where id = ${id}`),
  ).toEqual([{ due: null, next: null, agreed: 0 }])
})

test('an operator can show and cancel an address change but cannot request a change to a taken address', async () => {
  const newEmail = `${randomUUID()}@banco.example`
  const show = () => helpDeskCommands['admin-show-email-change'](context, { email })

  await helpDeskCommands['admin-change-email'](context, { email, newEmail })

  expect([await told(email), await told(newEmail)]).toEqual([
    ['begin_email_change'],
    ['confirm_email_change'],
  ])
  expect(await owner.query(sql`select email from auth.users where id = ${id}`)).toEqual([{ email }])
  expect(await show()).toMatchObject({ waiting: { email: newEmail, is_confirmed: false } })
  await helpDeskCommands['admin-cancel-email-change'](context, { email })
  expect(await show()).toEqual({ waiting: null })
  expect(await stateOf(id)).toMatchObject({
    acts: 'operator begin_email_change, operator cancel_email_change',
  })
  await expect(helpDeskCommands['admin-cancel-email-change'](context, { email })).rejects.toThrow(
    'No hay ningún cambio de email en espera.',
  )
  const taken = await addPerson('user')
  await expect(
    helpDeskCommands['admin-change-email'](context, { email, newEmail: taken.email }),
  ).rejects.toThrow(`${taken.email} ya tiene una cuenta.`)
})

test('an operator resends the invitation of a user who has never signed in, and sends others a link for a new password', async () => {
  expect(await helpDeskCommands['admin-resend'](context, { email })).toEqual({ type: 'recovery' })
  expect(subjects()).toEqual([[email, 'Restablece tu contraseña de Banco']])
  await owner.query(sql`update auth.users set last_sign_in_at = null where id = ${id}`)

  expect(await helpDeskCommands['admin-resend'](context, { email })).toEqual({ type: 'invite' })

  expect(subjects().at(-1)).toEqual([email, 'Te invitaron a Banco'])
  expect(await stateOf(id)).toMatchObject({ acts: 'operator send_link, operator send_link' })
})

test('a refused command shows the reason and sends no mail', async () => {
  const last = await addPerson('admin')
  await owner.query(
    sql`update auth.users set raw_app_meta_data = '{}' where raw_app_meta_data ->> 'role' = 'admin' and id <> ${last.id}`,
  )

  await expect(
    helpDeskCommands['admin-block'](context, { ...last, hours: null, reason: 'other' }),
  ).rejects.toThrow('El banco necesita al menos un administrador.')
  await expect(helpDeskCommands['admin-revoke'](context, { email: 'nadie@banco.example' })).rejects.toThrow(
    'No hay ninguna cuenta con la dirección nadie@banco.example.',
  )
  expect([await stateOf(last.id), await told(last.email)]).toMatchObject([
    { banned: false, sessions: 1 },
    // The only notice is about the role change above. The refused ban did not cause a notice.
    ['staff_change_role'],
  ])
})
