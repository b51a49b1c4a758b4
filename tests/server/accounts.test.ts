// Tests how accounts, sessions and links change through the operator's commands and over time.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import {
  AdministratorAddressTaken,
  ensureFirstAdministrator,
  noticeOfNoMailbox,
} from '#server/people/first-administrator.ts'
import { issueLink, newOneTimeToken } from '#server/people/one-time-tokens.ts'
import { createPasswords } from '#server/people/password/passwords.ts'
import { redeem } from '#server/people/session/redeem.ts'
import { refresh } from '#server/people/session/sessions.ts'
import { signIn } from '#server/people/session/sign-in.ts'
import { signUp, signUpConfirmed } from '#server/people/sign-up.ts'
import { type AdminChange, createUser, deleteUser, updateUser } from '#server/people/user-management.ts'
import { createAdministrator } from '#server/operator/access.ts'
import { databaseOfFile, quickPasswords as passwords } from '#testing/surfaces.ts'

const device = { userAgent: null, ip: '127.0.0.1' }
const password = 'una clave larga'
const { database, owner } = await databaseOfFile()

async function confirmedUser() {
  const email = `${randomUUID()}@banco.example`
  const signedIn = await signUpConfirmed(database, passwords, { email, password, userMetadata: {}, device })
  if (signedIn === null) throw new Error('The address is taken.')
  return { email, ...signedIn }
}

async function recoveryToken(email: string): Promise<string> {
  const token = newOneTimeToken()
  await issueLink(database, { token, type: 'recovery', email, codeMac: null, challenge: null })
  return token
}

function follow(type: 'signup' | 'recovery', token: string) {
  return redeem(database, {
    credential: { token, email: null },
    types: [type],
    device,
    canAnswerCode: true,
  })
}

/**
 * Does the same as every server start: creates the first administrator if the bank does not have an administrator yet.
 * Returns the generated passwords and the notices.
 */
async function start(account: { email?: string; password?: string } = {}) {
  const told = { made: [] as string[], notices: [] as string[] }
  await ensureFirstAdministrator(database, passwords, {
    email: 'admin@banco.example',
    password: null,
    ...account,
    onPasswordMade: (_email, made) => told.made.push(made),
    onNotice: (sentence) => told.notices.push(sentence),
  })
  return told
}

test('servers that start together create only one administrator, unless a customer already uses the address', async () => {
  const { email } = await confirmedUser()
  await expect(start({ email })).rejects.toThrow(AdministratorAddressTaken)

  const starts = await Promise.all([1, 2, 3].map(() => start()))

  const [made = '', ...others] = starts.flatMap(({ made: each }) => each)
  expect(made).toMatch(/^[\w-]{24}$/)
  expect(others).toEqual([])
  // Later starts repeat the notice, because the operator may not have read the password if the first start was killed.
  const notice = expect.stringContaining('npm run admin -- reset-access admin@banco.example') as string
  expect(await start()).toEqual({ made: [], notices: [notice] })
  expect(await start({ password: 'not the one that counts' })).toEqual({ made: [], notices: [notice] })
  expect(await start({ password: made })).toEqual({ made: [], notices: [] })

  const outcome = await signIn(database, passwords, { email: 'admin@banco.example', password: made, device })
  expect(outcome).toMatchObject({
    kind: 'signed in',
    signedIn: { user: { raw_app_meta_data: { role: 'admin' } } },
  })
  expect(await start()).toEqual({ made: [], notices: [] })
})

test('a start warns about an administrator whose default address has no mailbox', async () => {
  expect(await noticeOfNoMailbox(database)).toBeNull()

  await createAdministrator(database, passwords, { email: 'admin@finanzas.local', fullName: '' })

  expect(await noticeOfNoMailbox(database)).toContain('no tiene buzón')
})

test('a link works until it expires', async () => {
  const email = `${randomUUID()}@banco.example`
  const outcome = await signUp(database, passwords, {
    email,
    password,
    userMetadata: {},
    challenge: null,
  })
  if (outcome.kind !== 'to confirm') throw new Error('The address is taken.')
  const [lives] = await owner.query<{ seconds: number }>(sql`
    select extract(epoch from expires_at - created_at)::integer as seconds
    from auth.one_time_tokens where user_id = ${outcome.userId}`)
  expect(lives?.seconds).toBe(24 * 3600)

  await owner.query(sql`
    update auth.one_time_tokens set expires_at = now() - interval '1 second' where user_id = ${outcome.userId}`)

  expect(await follow('signup', outcome.token)).toEqual({ kind: 'refused' })
})

test('the database does not contain the token of a mailed link', async () => {
  const { email } = await confirmedUser()
  const token = await recoveryToken(email)

  const [row] = await owner.query<{ tokens: string }>(sql`
    select jsonb_agg(to_jsonb(t))::text as tokens from auth.one_time_tokens t`)

  expect(token).toMatch(/^[\w-]{43}$/)
  expect(row?.tokens).not.toContain(token)
})

test('an expired session cannot be refreshed', async () => {
  const { session } = await confirmedUser()
  await owner.query(sql`update auth.sessions set not_after = now() where id = ${session.id}`)

  expect(await refresh(database, { sessionId: session.id, counter: 0 })).toEqual({ kind: 'expired' })
  expect(await refresh(database, { sessionId: session.id, counter: 0 })).toEqual({ kind: 'not_found' })
})

test('a banned customer cannot sign in by any method, and only the correct password reveals the ban', async () => {
  const { email, user, session } = await confirmedUser()
  const token = await recoveryToken(email)
  await owner.query(sql`update auth.users set banned_until = now() + interval '1 day' where id = ${user.id}`)

  const right = await signIn(database, passwords, { email, password, device })
  const wrong = await signIn(database, passwords, { email, password: 'otra clave larga', device })

  expect(right).toEqual({ kind: 'banned', userId: user.id })
  expect(wrong).toEqual({ kind: 'wrong credentials', userId: user.id })
  // The ban has ended the session.
  expect(await refresh(database, { sessionId: session.id, counter: 0 })).toEqual({ kind: 'not_found' })
  expect(await follow('recovery', token)).toEqual({ kind: 'refused' })
})

test('a sign-in replaces a password hash whose cost is too low', async () => {
  const { email, user } = await confirmedUser()
  const today = createPasswords({ lengthMin: 8, brandName: 'Banco Finanzas' })

  await signIn(database, today, { email, password, device })

  const [row] = await owner.query<{ encrypted_password: string }>(sql`
    select encrypted_password from auth.users where id = ${user.id}`)
  expect(row?.encrypted_password).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await signIn(database, today, { email, password, device })).toMatchObject({ kind: 'signed in' })
})

const nothing: AdminChange = {
  email: null,
  passwordHash: null,
  isConfirmed: false,
  userMetadata: {},
  appMetadata: {},
  banSeconds: null,
}

async function administrator(name: string): Promise<string> {
  const email = `${name}@banco.example`
  const created = await createUser(database, { ...nothing, email, appMetadata: { role: 'admin' } })
  return created?.id ?? ''
}

test('the bank always keeps at least one administrator who can sign in', async () => {
  const first = await administrator('primera')
  // Removes the other administrators.
  await owner.query(sql`
    delete from auth.users u where u.raw_app_meta_data ->> 'role' = 'admin' and u.id <> ${first}`)

  await expect(updateUser(database, first, { ...nothing, banSeconds: 60 })).rejects.toMatchObject({
    sqlState: 'PT403',
  })
  await expect(
    updateUser(database, first, { ...nothing, appMetadata: { role: null } }),
  ).rejects.toMatchObject({ sqlState: 'PT403' })
  await expect(deleteUser(database, first)).rejects.toMatchObject({ sqlState: 'PT403' })

  const second = await administrator('segunda')
  const bans = await Promise.allSettled(
    [first, second].map((id) => updateUser(database, id, { ...nothing, banSeconds: 60 })),
  )

  expect(bans.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [banned, free] = bans[0]?.status === 'fulfilled' ? [first, second] : [second, first]
  await expect(updateUser(database, free, { ...nothing, appMetadata: { role: null } })).rejects.toMatchObject(
    { sqlState: 'PT403' },
  )
  await expect(deleteUser(database, free)).rejects.toMatchObject({ sqlState: 'PT403' })
  expect(await deleteUser(database, banned)).toBe(true)
})

test('an operator’s changes are audited without the user’s address', async () => {
  const email = 'ana@banco.example'
  const created = await createUser(database, { ...nothing, email })
  const id = created?.id ?? ''

  await updateUser(database, id, { ...nothing, passwordHash: 'x', email: 'otra@banco.example' })
  await updateUser(database, id, { ...nothing, banSeconds: 60 })
  await updateUser(database, id, { ...nothing, userMetadata: { full_name: 'Ana' } })
  await deleteUser(database, id)

  const entries = await owner.query<{ action: string; origin: string; entry: string }>(sql`
    select a.action, a.origin, to_jsonb(a)::text as entry from ledger.audit a where a.target = ${id} order by a.id`)
  expect(entries.map(({ action }) => action)).toEqual([
    'create_user',
    'set_password',
    'set_email',
    'ban_user',
    'delete_user',
  ])
  expect(new Set(entries.map(({ origin }) => origin))).toEqual(new Set(['service']))
  expect(entries.some(({ entry }) => entry.includes('banco.example'))).toBe(false)
})
