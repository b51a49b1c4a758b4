// The rate limits of the surfaces (security.md AN-07, DO-04). The counting itself is tested in
// tests/database/throttle.test.ts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { openThrottle } from '#server/throttle/throttle.ts'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { databaseOfFile, openSurfaces, tokensIn } from '#testing/surfaces.ts'

const { database, owner } = await databaseOfFile()
const surfaces = await openSurfaces(database, { throttle: openThrottle(database) })
afterAll(() => surfaces.close())

beforeEach(async () => {
  surfaces.mails.length = 0
  surfaces.log.length = 0
  await owner.query(sql`delete from private.attempts`)
})

const ask = (from: string, path: string, body: object, token?: string) =>
  surfaces.ask(path, { from, body, ...(token === undefined ? {} : { token }) })
const signIn = (from: string, email: string, password = 'esta no es la clave') =>
  ask(from, '/token?grant_type=password', { email, password })
const refresh = (from: string, token: string | undefined) =>
  ask(from, '/token?grant_type=refresh_token', { refresh_token: token })
const unknown = () => `${randomUUID()}@banco.example`
const address = (index: number) => `203.0.113.${index + 1}`

/** Sends `count` requests sequentially and returns the statuses of the answers. */
async function statusesOf(count: number, request: (index: number) => Promise<{ status: number }>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await request(index)).status)
  return statuses
}

async function tokensOf(from: string, { email, password }: { email: string; password: string }) {
  const answer = await signIn(from, email, password)
  expect(answer.status).toBe(200)
  return tokensIn(answer)
}

async function onlyMail(): Promise<string> {
  await expect.poll(() => surfaces.mails).toHaveLength(1)
  return surfaces.mails[0]?.text ?? ''
}

function tokenIn(mail: string): string {
  return new URL(/^https?:\/\/\S+$/m.exec(mail)?.[0] ?? '').searchParams.get('token') ?? ''
}

/** Updates the caller's own user, for example its password. */
const put = (token: string, body: object) => surfaces.put('/user', { body, token })

test('only ten of a hundred guesses from a hundred addresses are checked, and the owner can still sign in', async () => {
  const { email, password } = await surfaces.newCustomer()
  await tokensOf('198.51.100.7', { email, password })

  const guesses = []
  for (let index = 0; index < 100; index += 1) guesses.push(await signIn(address(index), email))
  const owner = await signIn('198.51.100.7', email, password)
  const elsewhere = await signIn('198.51.100.8', email, password)

  const refused = guesses.filter(({ status }) => status === 429)
  expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10)
  expect(refused).toHaveLength(90)
  for (const { retryAfter, text } of refused) {
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(text).toBe('{"code":"over_request_rate_limit","message":"Request rate limit reached"}')
  }
  expect(owner.status).toBe(200)
  expect(elsewhere.status).toBe(429)
})

test('an account can sign in thirty times in five minutes from each known network', async () => {
  const { email, password } = await surfaces.newCustomer()
  await tokensOf('198.51.100.7', { email, password })
  await tokensOf('198.51.100.8', { email, password })

  expect(await statusesOf(30, () => signIn('198.51.100.7', email, password))).toEqual(Array(30).fill(200))
  const refused = await signIn('198.51.100.7', email, password)

  expect([refused.status, refused.text]).toEqual([
    429,
    '{"code":"over_request_rate_limit","message":"Request rate limit reached"}',
  ])
  expect(refused.retryAfter).toBeGreaterThan(0)
  expect(refused.retryAfter).toBeLessThanOrEqual(300)
  expect((await signIn('198.51.100.8', email, password)).status).toBe(200)
})

test('fifty customers behind one IP address can all sign in on their first attempt', async () => {
  const people = []
  for (let index = 0; index < 50; index += 1) people.push(await surfaces.newCustomer())

  const statuses: number[] = []
  for (let first = 0; first < people.length; first += 10) {
    const ten = people.slice(first, first + 10)
    const answers = await Promise.all(
      ten.map(({ email, password }) => signIn('203.0.113.200', email, password)),
    )
    statuses.push(...answers.map(({ status }) => status))
  }

  expect(statuses).toEqual(Array(50).fill(200))
})

test('known and unknown addresses have equal sign-in limits, and an IPv6 /64 network is limited after thirty failures', async () => {
  const { email } = await surfaces.newCustomer()
  const answers = (to: string) => statusesOf(12, (index) => signIn(address(index), to))

  expect(await answers(unknown())).toEqual(await answers(email))
  expect(await statusesOf(31, (index) => signIn(`2001:db8:1:2::${index + 1}`, unknown()))).toEqual([
    ...Array.from({ length: 30 }, () => 400),
    429,
  ])
  expect((await signIn('2001:db8:1:3::1', unknown())).status).toBe(400)
})

test('an email address can get one mail per minute, and a network can send thirty sign-ups per hour', async () => {
  const { email } = await surfaces.newCustomer()
  const recover = (from: string, to: string) => ask(from, '/recover', { email: to })

  expect((await recover('198.51.100.1', email)).status).toBe(200)
  expect((await recover('198.51.100.3', 'nadie@banco.example')).status).toBe(200)
  for (const to of [email, 'nadie@banco.example']) {
    const { status, retryAfter, text } = await recover('198.51.100.4', to)
    expect(status).toBe(429)
    expect(text).toBe(
      `{"code":"over_email_send_rate_limit","message":"For security purposes, you can only request this after ${retryAfter} seconds."}`,
    )
  }
  await onlyMail()

  const signUp = (from: string, to: string, password = `clave ${randomUUID()}`) =>
    ask(from, '/signup', { email: to, password })
  const signUps = await statusesOf(31, () => signUp('198.51.100.5', unknown()))
  expect(signUps.filter((status) => status === 429)).toHaveLength(1)

  // The server refuses a weak password before it counts the sign-up.
  const to = unknown()
  const weak = await signUp('198.51.100.6', to, 'contraseña123')
  expect([weak.status, (await signUp('198.51.100.6', to)).status]).toEqual([422, 200])
  expect(weak.text).toContain('"weak_password":{"reasons":["pwned"]}')
})

test('a customer can still request links after a stranger tried to sign up with the customer’s address', async () => {
  const { email } = await surfaces.newCustomer()

  const statuses = [
    await ask('198.51.100.1', '/signup', { email, password: `clave ${randomUUID()}` }),
    await ask('198.51.100.2', '/resend', { type: 'signup', email: 'otra@banco.example' }),
    await ask('198.51.100.3', '/recover', { email }),
    await ask('198.51.100.3', '/otp', { email, create_user: false }),
  ].map(({ status }) => status)

  expect(statuses).toEqual([200, 200, 200, 200])
  expect((await ask('198.51.100.4', '/recover', { email })).status).toBe(429)
})

test('an account can try twenty codes per day, and after that its link and password still work', async () => {
  const { email, password } = await surfaces.newCustomer()
  await ask('198.51.100.1', '/otp', { email, create_user: false })
  const mail = await onlyMail()
  const digits = /código (\d{6}) /.exec(mail)?.[1] ?? ''
  const wrong = digits === '000000' ? '000001' : '000000'
  const verify = (from: string, token: string) => ask(from, '/verify', { type: 'email', email, token })

  const typed = await statusesOf(20, (index) => verify(address(index), wrong))
  const beyond = await verify('198.51.100.2', digits)

  expect(typed).toEqual(Array.from({ length: 20 }, () => 403))
  expect(beyond.status).toBe(429)
  expect(beyond.retryAfter).toBeGreaterThan(23 * 3600)
  expect((await signIn('198.51.100.2', email, password)).status).toBe(200)
  const link = { type: 'magiclink', token_hash: tokenIn(mail) }
  expect((await ask('198.51.100.2', '/verify', link)).status).toBe(200)
})

test('a session that does not need the current password can try ten new passwords per minute', async () => {
  const { email, password } = await surfaces.newCustomer()
  await ask('198.51.100.1', '/recover', { email })
  const link = { type: 'recovery', token_hash: tokenIn(await onlyMail()) }
  const { access_token: token } = tokensIn(await ask('198.51.100.1', '/verify', link))

  const codes: unknown[] = []
  for (let index = 0; index < 11; index += 1) codes.push((await put(token, { password })).json()['code'])

  // To find out whether the new password equals the old password, the server must hash the new password. Without a
  // limit on such requests, a single session could fill the hash pool.
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 'same_password'), 'over_request_rate_limit'])
})

test('guesses in a stolen session do not prevent the owner from changing the password in another session', async () => {
  const person = await surfaces.newCustomer()
  const [thief, owner] = [await tokensOf('198.51.100.1', person), await tokensOf('198.51.100.2', person)]
  const guess = (current: string) => ({ password: `clave ${randomUUID()}`, current_password: current })

  const guesses: unknown[] = []
  for (let index = 0; index < 11; index += 1)
    guesses.push((await put(thief.access_token, guess(`clave ${index}`))).json()['code'])

  expect(guesses.slice(9)).toEqual(['current_password_invalid', 'over_request_rate_limit'])
  expect((await put(owner.access_token, guess(person.password))).status).toBe(200)
})

test('a session gets at most fifteen factor challenges per minute', async () => {
  const { access_token: token } = await tokensOf('198.51.100.1', await surfaces.newCustomer())
  const { id } = (await ask('198.51.100.1', '/factors', { factor_type: 'totp' }, token)).json()

  const statuses = await statusesOf(16, () =>
    ask('198.51.100.1', `/factors/${String(id)}/challenge`, {}, token),
  )

  expect(statuses).toEqual([...Array.from({ length: 15 }, () => 200), 429])
})

test('a user can call functions six hundred times in ten minutes, even simultaneously', async () => {
  const { access_token: token } = await tokensOf('198.51.100.1', await surfaces.newCustomer('admin'))

  const calls = await Promise.all(Array.from({ length: 601 }, () => callManageUsers(token)))

  expect(calls.filter(({ status }) => status === 400)).toHaveLength(600)
  expect(calls.find(({ status }) => status === 429)?.retryAfter).toBeGreaterThan(0)
})

test('a user can request one statement at a time and ten statements in ten minutes', async () => {
  const from = '198.51.100.9'
  const { access_token: token } = await tokensOf(from, await surfaces.newCustomer())
  const issue = () => ask(from, '/functions/v1/statement', { month: '2026-01' }, token)

  const atOnce = await Promise.all(Array.from({ length: 5 }, issue))
  const after = await statusesOf(10, issue)

  expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, retryAfter } of atOnce.filter((answer) => answer.status !== 200))
    expect([status, retryAfter]).toEqual([503, 2])
  // The four shed requests did not consume the limit.
  expect(after.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 200))
  expect(after.at(-1)).toBe(429)
})

test('a server creates at most four statements at the same time', async () => {
  const tokens: string[] = []
  for (let count = 0; count < 6; count += 1)
    tokens.push((await tokensOf(address(count), await surfaces.newCustomer())).access_token)
  const issue = (token: string) =>
    ask(address(tokens.indexOf(token)), '/functions/v1/statement', { month: '2026-01' }, token)

  const statuses = (await Promise.all(tokens.map(issue))).map(({ status }) => status)

  expect(statuses.filter((status) => status === 200)).toHaveLength(4)
  expect(statuses.filter((status) => status === 503)).toHaveLength(2)
  expect((await issue(tokens.at(-1) ?? '')).status).toBe(200)
})

test('a network can request at most two statements at the same time', async () => {
  const [crowded, other] = ['198.51.100.10', '198.51.100.11']
  const tokens: string[] = []
  for (const from of [crowded, crowded, crowded, crowded, other])
    tokens.push((await tokensOf(from, await surfaces.newCustomer())).access_token)
  const issue = (token: string, index: number) =>
    ask(index < 4 ? crowded : other, '/functions/v1/statement', { month: '2026-01' }, token)

  const statuses = (await Promise.all(tokens.map(issue))).map(({ status }) => status)

  expect(statuses.slice(0, 4).toSorted((a, b) => a - b)).toEqual([200, 200, 503, 503])
  expect(statuses[4]).toBe(200)
})

test('staff can send a user one link per minute, even if a customer’s attempt to send this link was refused before', async () => {
  const from = '198.51.100.1'
  const { access_token: staff } = await tokensOf(from, await surfaces.newCustomer('admin'))
  const { access_token: customer } = await tokensOf(from, await surfaces.newCustomer())
  const { id: userId } = await surfaces.newCustomer()
  const resend = async (token: string) =>
    (await ask(from, '/functions/v1/manage-users', { action: 'resend', userId }, token)).status

  expect(await resend(customer)).toBe(403)
  expect(await resend(staff)).toBe(200)
  expect(await resend(staff)).toBe(429)
})

test('a customer gets one link for a new password per minute, whoever asks for it', async () => {
  const from = '198.51.100.1'
  const [one, other] = [await surfaces.newCustomer('admin'), await surfaces.newCustomer('admin')]
  const clerks = [await tokensOf(from, one), await tokensOf(from, other)]
  const [first, second] = [await surfaces.newCustomer(), await surfaces.newCustomer()]
  for (const customer of [first, second]) await tokensOf(from, customer)
  const resend = async ({ id }: { id: string }, clerk: number) => {
    const body = { action: 'resend', userId: id }
    return (await ask(from, '/functions/v1/manage-users', body, clerks[clerk]?.access_token)).status
  }
  const recover = async ({ email }: { email: string }) => (await ask(from, '/recover', { email })).status

  expect([await resend(first, 0), await resend(first, 1), await recover(first)]).toEqual([200, 429, 429])
  expect([await recover(second), await resend(second, 0)]).toEqual([200, 429])
})

test('staff can request one address change per minute for each user and for each new address', async () => {
  const from = '198.51.100.1'
  const { access_token: staff } = await tokensOf(from, await surfaces.newCustomer('admin'))
  const { access_token: customer } = await tokensOf(from, await surfaces.newCustomer())
  const [{ id: first }, { id: second }] = [await surfaces.newCustomer(), await surfaces.newCustomer()]
  const next = () => `${randomUUID()}@banco.example`
  const email = next()
  const changeEmail = (token: string, userId: string, address: string) =>
    ask(from, '/functions/v1/manage-users', { action: 'change_email', userId, email: address }, token)

  expect((await changeEmail(customer, first, email)).status).toBe(403)
  await owner.query(sql`update auth.sessions set amr = jsonb_set(amr, '{0,timestamp}', '0')`)
  expect((await changeEmail(staff, first, email)).status).toBe(403)
  await owner.query(
    sql`update auth.sessions set amr = jsonb_set(amr, '{0,timestamp}', to_jsonb(extract(epoch from now())::bigint))`,
  )
  expect((await changeEmail(staff, first, email)).status).toBe(200)
  const refused = [await changeEmail(staff, first, next()), await changeEmail(staff, second, email)]
  expect(refused.map(({ status }) => status)).toEqual([429, 429])
  expect(refused[0]?.retryAfter).toBeGreaterThan(50)
  expect((await changeEmail(staff, second, next())).status).toBe(200)
})

// The next tests show that users cannot consume the limits of other users.

test('a customer can sign in from a known network after other people on the network reached the network’s limit', async () => {
  const person = await surfaces.newCustomer()
  await tokensOf('198.51.100.1', person)
  const tries = await statusesOf(31, () => signIn('198.51.100.1', unknown()))
  expect(tries.at(-1)).toBe(429)

  await tokensOf('198.51.100.1', person)
})

test('a session can be refreshed after another session and the network have reached their limits', async () => {
  const person = await surfaces.newCustomer()
  const from = '198.51.100.3'
  const [mine, busy, dead] = [
    await tokensOf(from, person),
    await tokensOf(from, person),
    await tokensOf(from, person),
  ]
  let token = busy.refresh_token
  for (let index = 0; index < 30; index += 1) token = tokensIn(await refresh(from, token)).refresh_token
  const beyond = await refresh(from, token)
  expect(beyond.status).toBe(503)
  expect(beyond.retryAfter).toBeGreaterThan(0)
  await ask(from, '/logout?scope=local', {}, dead.access_token)
  const tries = await statusesOf(151, () => refresh(from, dead.refresh_token))
  expect(tries.at(-1)).toBe(503)

  expect((await refresh(from, mine.refresh_token)).status).toBe(200)
  expect(surfaces.log.join('')).not.toContain('"level":50')
})

test('a customer can get a recovery link on a known network after other people on the network reached the network’s limit', async () => {
  const person = await surfaces.newCustomer()
  await tokensOf('198.51.100.4', person)
  const recover = (email: string) => ask('198.51.100.4', '/recover', { email })
  const tries = await statusesOf(31, () => recover(unknown()))
  expect(tries.at(-1)).toBe(429)

  expect((await recover(person.email)).status).toBe(200)
})

test('requests in an ended session do not consume the user’s limits and are not logged', async () => {
  const person = await surfaces.newCustomer()
  const from = '198.51.100.5'
  const [ended, own] = [await tokensOf(from, person), await tokensOf(from, person)]
  await ask(from, '/logout?scope=local', {}, ended.access_token)
  const erase = (token: string) => ask(from, '/functions/v1/delete-account', { password: '' }, token)
  const reauthenticate = (token: string) => surfaces.ask('/reauthenticate', { from, token })

  const refused = await Promise.all(Array.from({ length: 620 }, () => erase(ended.access_token)))

  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]))
  expect((await erase(own.access_token)).status).toBe(400)
  expect((await reauthenticate(ended.access_token)).status).toBe(403)
  expect((await reauthenticate(own.access_token)).status).toBe(200)
  expect(surfaces.log.join('')).not.toContain('action denied')
})

test('calls without the second factor do not consume the administrator’s limit and are not logged as errors', async () => {
  const person = await surfaces.newCustomer('admin')
  const { access_token: token } = await tokensOf('198.51.100.6', person)
  const { text } = await ask('198.51.100.6', '/factors', { factor_type: 'totp' }, token)
  const { id, totp } = JSON.parse(text) as { id: string; totp: { secret: string } }
  const challenge = (await ask('198.51.100.6', `/factors/${id}/challenge`, {}, token)).json()
  const shown = { challenge_id: challenge['id'], code: await new AuthenticatorApp(totp.secret).nextCode() }
  const verified = await ask('198.51.100.6', `/factors/${id}/verify`, shown, token)
  const byPassword = await tokensOf('198.51.100.6', person)

  const refused = await Promise.all(
    Array.from({ length: 620 }, () => callManageUsers(byPassword.access_token)),
  )

  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]))
  expect(refused[0]?.json()).toEqual({
    error: 'Completa la verificación en dos pasos para continuar.',
  })
  expect((await callManageUsers(tokensIn(verified).access_token)).status).toBe(400)
  expect(surfaces.log.join('')).not.toContain('"level":50')
})

function callManageUsers(token: string) {
  return ask('198.51.100.6', '/functions/v1/manage-users', { action: 'list' }, token)
}

test('a session changes its user’s data at most sixty times in ten minutes', async () => {
  const { access_token } = await tokensOf('198.51.100.9', await surfaces.newCustomer())
  const change = (index: number) => put(access_token, { data: { color: index } })
  expect(new Set(await statusesOf(60, change))).toEqual(new Set([200]))

  for (const body of [{ data: { color: 61 } }, {}]) {
    const refused = await put(access_token, body)
    expect(refused).toMatchObject({ status: 429, retryAfter: expect.any(Number) })
  }
})
