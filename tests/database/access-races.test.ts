// When a user loses access, a concurrent request must not restore the access. The tests use requests that sign in,
// follow a link, or verify or add a factor.
import { createHash } from 'node:crypto'
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Owner, type SqlStatement, sql } from '#server/database/database.ts'
import { changeUser } from '#server/people/change-user.ts'
import { createPasswords } from '#server/people/password/passwords.ts'
import { exchangeCode, redeem } from '#server/people/session/redeem.ts'
import { asSignedInByOneFactor } from '#server/people/session/sessions.ts'
import { signIn } from '#server/people/session/sign-in.ts'
import { unenrollFactor } from '#server/people/factor/enrolment.ts'
import { updateUser } from '#server/people/user-management.ts'
import { useBank } from './database.ts'
import { type Person, run } from './people.ts'

const bank = useBank()
const passwords = createPasswords({
  lengthMin: 8,
  brandName: 'Banco',
  cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
})
const old = 'la clave de antes'
const device = { userAgent: null, ip: '127.0.0.1' }
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * Adds a confirmed customer who has a password, an unused recovery link, and a PKCE code from a link that was
 * already followed.
 */
async function addCustomer() {
  const customer = await bank.addCustomer()
  const { id } = customer
  const email = `${id}@banco.example`
  const hash = await passwords.hash(old, { email })
  const [link, code] = [crypto.randomUUID(), crypto.randomUUID()]
  await bank.asService(
    sql`update auth.users set encrypted_password = ${hash}, email_confirmed_at = now() where id = ${id}`,
    sql`update auth.sessions set amr = '[{"method": "password", "timestamp": 0}]' where user_id = ${id}`,
    sql`
      insert into auth.one_time_tokens (token_hash, user_id, token_type, relates_to, expires_at)
      values (${hashOf(link)}, ${id}, 'recovery', ${email}, now() + interval '1 hour')`,
    sql`
      insert into auth.flow_state
        (user_id, auth_code_hash, code_challenge, code_challenge_method, authentication_method, expires_at)
      values (${id}, ${hashOf(code)}, ${'v'.repeat(43)}, 'plain', 'otp', now() + interval '1 hour')`,
  )
  return { customer, email, link, code }
}

type Customer = Awaited<ReturnType<typeof addCustomer>>

const claimsOf = ({ id, sessionId }: Person) => ({ sub: id, session_id: sessionId }) as AccessTokenClaims

function choosePassword(customer: Person) {
  const proof = { currentPassword: old, nonceMac: null }
  const change = { data: null, email: null, password: 'la clave de después', proof }
  return changeUser(bank.database, passwords, { claims: claimsOf(customer), change })
}

type Act = (customer: Customer) => Promise<unknown>

const waysIn: Readonly<Record<string, Act>> = {
  'a sign-in': ({ email }) => signIn(bank.database, passwords, { email, password: old, device }),
  'a link': ({ link }) => {
    const credential = { token: link, email: null }
    return redeem(bank.database, { credential, types: ['recovery'], device, canAnswerCode: false })
  },
  'a PKCE code': ({ code }) =>
    exchangeCode(bank.database, { authCode: code, verifier: 'v'.repeat(43), device }),
}

const ends: Readonly<Record<string, Act>> = {
  'a new password': async ({ customer }) => {
    expect((await choosePassword(customer)).kind).toBe('changed')
  },
  'a ban': ({ customer }) =>
    updateUser(bank.database, customer.id, {
      email: null,
      passwordHash: null,
      isConfirmed: false,
      userMetadata: {},
      appMetadata: {},
      banSeconds: 3600,
    }),
}

// The embedded engine cannot run two database transactions at the same time.
describe.skipIf(process.env['ENGINE'] !== 'postgres')('with two requests at the same moment', () => {
  let other: Owner
  beforeAll(async () => (other = await bank.connectSuperuser()))
  afterAll(() => other.close())

  const waiting = async () =>
    (
      await other.query(sql`
        select from pg_stat_clear_snapshot(), pg_stat_activity a
        where a.datname = current_database() and cardinality(pg_blocking_pids(a.pid)) > 0`)
    ).length

  /** Locks the rows on another connection, starts both actions one after the other, and then releases the lock. */
  async function actBehind(rows: SqlStatement, acts: readonly [() => unknown, () => unknown]): Promise<void> {
    await other.query(sql`begin`)
    await other.query(rows)
    const first = acts[0]()
    await expect.poll(waiting).toBe(1)
    const second = acts[1]()
    await expect.poll(waiting).toBe(2)
    await other.query(sql`rollback`)
    await Promise.all([first, second])
  }

  const pairs = Object.entries(ends).flatMap(([end, doEnd]) =>
    Object.entries(waysIn).map(([way, comeIn]) => ({ end, doEnd, way, comeIn })),
  )

  describe.for(pairs)('$end and $way together', ({ end, doEnd, comeIn }) => {
    test.for(['first', 'last'])('leave no new session if the sign-in or link runs %s', async (place) => {
      const customer = await addCustomer()
      const { id, sessionId } = customer.customer
      const acts = [() => comeIn(customer), () => doEnd(customer)] as const

      await actBehind(
        sql`select from auth.users where id = ${id} for update`,
        place === 'first' ? acts : [acts[1], acts[0]],
      )

      const sessions = await bank.owner.query(sql`select s.id from auth.sessions s where s.user_id = ${id}`)
      expect(sessions).toEqual(end === 'a ban' ? [] : [{ id: sessionId }])
    })
  })

  test('a ban by another program does not take the reason of a block by the bank that committed in the meantime', async () => {
    const { id } = await bank.addCustomer()
    await other.query(sql`begin`)
    await other.query(sql`select now()`)
    await run(bank.administrator, sql`select public.block_user(${id}, 'other', 24)`)

    await other.query(sql`update auth.users set banned_until = now() + interval '48 hours' where id = ${id}`)
    await other.query(sql`commit`)

    expect(
      await bank.owner.query(sql`
        select a.after ->> 'reason' as reason from ledger.audit a
        where a.target = ${id} and a.action = 'ban_user' order by a.id`),
    ).toEqual([{ reason: 'other' }, { reason: null }])
  })

  test('a session stays at aal1 if its factor is removed while the session verifies that factor', async () => {
    const { customer } = await addCustomer()
    const { id, sessionId } = customer
    const [lost, kept, thief] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    await bank.asService(
      sql`
        insert into auth.mfa_factors (id, user_id, factor_type, status, secret)
        select f.id, ${id}, 'totp', 'verified', '\\x00' from (values (${lost}::uuid), (${kept}::uuid)) as f (id)`,
      sql`insert into auth.sessions (id, user_id) values (${thief}, ${id})`,
      sql`
        insert into auth.mfa_challenges (id, factor_id, session_id, expires_at)
        values (${lost}, ${lost}, ${thief}, now() + interval '1 hour')`,
      sql`
        update auth.sessions set aal = 'aal2', factor_id = ${kept},
          amr = jsonb_build_array(jsonb_build_object('method', 'password', 'timestamp', extract(epoch from now())::bigint))
        where id = ${sessionId}`,
    )

    await actBehind(sql`select from auth.mfa_factors where user_id = ${id} for update`, [
      () => bank.asService(sql`select auth.accept_totp(${id}, ${thief}, ${lost}, ${lost}, 1, 'undo')`),
      () => unenrollFactor(bank.database, claimsOf(customer), lost),
    ])

    expect(await bank.owner.query(sql`select s.aal from auth.sessions s where s.id = ${thief}`)).toEqual([
      { aal: 'aal1' },
    ])
  })

  test.for([
    ['a reset of the second factor', (id: string) => sql`select private.reset_factor(${id})`],
    ['the end of all factors', (id: string) => sql`select auth.end_factors(${id}, '-infinity')`],
  ] as const)('%s and the removal of a factor do not deadlock', async ([, end]) => {
    const { customer } = await addCustomer()
    const { id, sessionId } = customer
    const factor = crypto.randomUUID()
    await bank.asService(
      sql`
        insert into auth.mfa_factors (id, user_id, factor_type, status, secret)
        values (${factor}, ${id}, 'totp', 'verified', '\\x00')`,
      sql`update auth.sessions set aal = 'aal2', factor_id = ${factor} where id = ${sessionId}`,
    )

    await actBehind(sql`select from auth.sessions where id = ${sessionId} for update`, [
      () => bank.asService(end(id)),
      () => bank.asService(sql`select auth.remove_factor(${id}, ${factor})`),
    ])

    expect(await bank.owner.query(sql`select from auth.mfa_factors where user_id = ${id}`)).toEqual([])
    expect(await bank.owner.query(sql`select from auth.sessions where user_id = ${id}`)).toEqual([])
  })

  test('a customer who is banned during a password change keeps the old password', async () => {
    const { customer, email } = await addCustomer()
    await other.query(sql`begin`)
    await other.query(
      sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${customer.id}`,
    )
    await other.query(sql`delete from auth.sessions where user_id = ${customer.id}`)

    const changed = expect(choosePassword(customer)).rejects.toMatchObject({ sqlState: 'FZ401' })
    await expect.poll(waiting).toBe(1)
    await other.query(sql`commit`)

    await changed
    const [stored] = await bank.owner.query(
      sql<{ hash: string }>`select u.encrypted_password as hash from auth.users u where u.email = ${email}`,
    )
    expect((await passwords.compare(old, stored?.hash ?? null)).matches).toBe(true)
  })

  test('a session that ends while it confirms a factor cannot confirm the factor', async () => {
    const { customer } = await addCustomer()
    const { id, sessionId } = customer
    const factor = crypto.randomUUID()
    await bank.asService(
      sql`
        insert into auth.mfa_factors (id, user_id, factor_type, secret, begun_in)
        values (${factor}, ${id}, 'totp', '\\x00', ${sessionId})`,
      sql`
        update auth.sessions
        set amr = jsonb_build_array(jsonb_build_object('method', 'password', 'timestamp', extract(epoch from now())))
        where id = ${sessionId}`,
      sql`
        insert into auth.mfa_challenges (id, factor_id, session_id, expires_at)
        values (${factor}, ${factor}, ${sessionId}, now() + interval '1 hour')`,
    )
    await other.query(sql`begin`)
    await other.query(sql`delete from auth.sessions where id = ${sessionId}`)

    const shown = bank.database.transaction(asSignedInByOneFactor(claimsOf(customer), 'write'), [
      sql`select auth.accept_totp(${id}, ${sessionId}, ${factor}, ${factor}, 1, 'undo')`,
    ])
    const refused = expect(shown).rejects.toMatchObject({ sqlState: 'FZ401' })
    await expect.poll(waiting).toBe(1)
    await other.query(sql`commit`)

    await refused
    expect(
      await bank.owner.query(sql`select f.status from auth.mfa_factors f where f.id = ${factor}`),
    ).toEqual([{ status: 'unverified' }])
  })
})
