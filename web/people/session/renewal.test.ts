// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearPage, laura, serve, sessionKey } from '#testing/page.ts'
import { backend } from '#api/client.ts'
import { invokeFunction } from '#api/functions.ts'

type Sent = { path: string; token: string; key: string | null; body: unknown }

const fiveMinutes = 300
let sent: Sent[]
/** Tokens that the server calls expired. */
let expired: Set<string>
let renewals: number
let answerRenewal: () => Response
/** Called when the server refuses a token. */
let onRefusal: () => void

beforeEach(async () => {
  sent = []
  expired = new Set()
  renewals = 0
  onRefusal = () => {}
  answerRenewal = () => Response.json(sessionOf('u1', `new ${renewals}`))
  await serve((path, body, { headers }) => {
    const token = nameOf(headers.get('Authorization')?.replace('Bearer ', '') ?? '')
    if (path.endsWith('/token')) {
      renewals += 1
      return answerRenewal()
    }
    sent.push({ path, token, key: headers.get('Idempotency-Key'), body })
    if (!expired.has(token)) return path.endsWith('/user') ? Response.json(laura) : Response.json([])
    onRefusal()
    return path.startsWith('/auth/')
      ? authError(403, 'bad_jwt')
      : Response.json({ code: 'PGRST303', message: 'JWT expired' }, { status: 401 })
  })
})

afterEach(clearPage)

const tokens = () => sent.map(({ token }) => token)

test('a request with an expired token is repeated once with a renewed session', async () => {
  await signIn('old', { expired: true })

  const client = await backend()
  const { error, status } = await client.from('transactions').select('id')

  expect({ error, status }).toEqual({ error: null, status: 200 })
  expect(tokens()).toEqual(['old', 'new 1'])
  expect(renewals).toBe(1)
})

test('a repeated request has the same body and the same idempotency key', async () => {
  await signIn('old', { expired: true })

  await invokeFunction('manage-transactions', { amount: 12.5 }, 'one key')

  expect(sent).toEqual([
    { path: '/functions/v1/manage-transactions', token: 'old', key: 'one key', body: { amount: 12.5 } },
    { path: '/functions/v1/manage-transactions', token: 'new 1', key: 'one key', body: { amount: 12.5 } },
  ])
})

test('the check of the session also renews an expired token', async () => {
  await signIn('old', { expired: true })
  const { auth } = await backend()

  const { data, error } = await auth.getUser()

  expect(error).toBeNull()
  expect(data.user?.id).toBe('u1')
  expect(tokens()).toEqual(['old', 'new 1'])
})

test('requests that are refused at the same time share one renewal', async () => {
  await signIn('old', { expired: true })
  const client = await backend()

  const answers = await Promise.all(['a', 'b', 'c', 'd'].map(() => client.from('transactions').select('id')))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(renewals).toBe(1)
})

test('a session that another tab has renewed is used without another renewal', async () => {
  await signIn('old', { expired: true })
  const client = await backend()
  onRefusal = () => store('of the other tab')

  expect((await client.from('transactions').select('id')).status).toBe(200)
  expect(tokens()).toEqual(['old', 'of the other tab'])
  expect(renewals).toBe(0)
})

test('a server that refuses every token is asked twice and then not again', async () => {
  await signIn('old', { expired: true })
  expired.add('new 1')
  const client = await backend()

  expect((await client.from('transactions').select('id')).status).toBe(401)
  expect((await client.from('transactions').select('id')).status).toBe(401)

  expect(tokens()).toEqual(['old', 'new 1', 'new 1'])
  expect(renewals).toBe(1)
})

test('a request of one user is never repeated with the session of another user', async () => {
  await signIn('old', { expired: true })
  const client = await backend()
  onRefusal = () => store('of Bruno', 'u2')
  const writing = client.from('transactions').insert({ type: 'expense', description: 'Pan', amount: 3 })

  expect((await writing).status).toBe(401)
  expect(tokens()).toEqual(['old'])
})

test('the page signs out if the session of an expired token has ended', async () => {
  await signIn('old', { expired: true })
  answerRenewal = () => authError(400, 'session_expired')
  const client = await backend()

  await client.from('transactions').select('id')

  expect(window.localStorage.getItem(sessionKey)).toBeNull()
})

test('a session that another tab renewed first and stores a moment later is used', async () => {
  await signIn('old', { expired: true })
  answerRenewal = () => {
    setTimeout(() => store('of the other tab'))
    return authError(400, 'refresh_token_already_used')
  }
  const client = await backend()

  expect((await client.from('transactions').select('id')).status).toBe(200)
  expect(tokens()).toEqual(['old', 'of the other tab'])
})

test('the session stays stored if the server cannot renew it now', async () => {
  await signIn('old', { expired: true })
  answerRenewal = () => authError(429, 'over_request_rate_limit')
  const client = await backend()

  await client.from('transactions').select('id')

  expect(window.localStorage.getItem(sessionKey)).not.toBeNull()
})

test.each([
  ['an hour fast', 3600],
  ['two hours slow', -7200],
])('a device whose clock is %s does not renew a new session', async (_clock, seconds) => {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })
  const server = Math.floor(Date.now() / 1000) - seconds
  answerRenewal = () => Response.json({ ...sessionOf('u1', 'good'), expires_at: server + 3600 })
  const client = await backend()
  await client.auth.signInWithPassword({ email: laura.email, password: 'x' })

  for (const table of ['transactions', 'budgets'] as const) await client.from(table).select('*')

  expect(tokens()).toEqual(['good', 'good'])
  expect(renewals).toBe(1)
  const { data } = await client.auth.getSession()
  expect(data.session?.expires_at).toBeCloseTo(Date.now() / 1000 + 3600, -1)
})

function authError(status: number, code: string): Response {
  // The client reads the code only from answers of this version of the API.
  const headers = { 'x-supabase-api-version': '2024-01-01' }
  return Response.json({ code, message: code }, { status, headers })
}

/** Stores a session that the client believes to be good, although its token may have expired. */
async function signIn(token: string, { expired: isExpired }: { expired: boolean }): Promise<void> {
  store(token)
  if (isExpired) expired.add(token)
  await (await backend()).auth.getSession()
}

function store(token: string, userId = 'u1'): void {
  const expires_at = Math.floor(Date.now() / 1000) + fiveMinutes
  window.localStorage.setItem(sessionKey, JSON.stringify({ ...sessionOf(userId, token), expires_at }))
}

function sessionOf(userId: string, name: string) {
  const access_token = `head.${btoa(JSON.stringify({ sub: userId, name })).replace(/=+$/, '')}.signature`
  return {
    access_token,
    token_type: 'bearer',
    expires_in: 3600,
    // The client remembers a refused refresh token.
    refresh_token: crypto.randomUUID(),
    user: { ...laura, id: userId },
  }
}

function nameOf(token: string): string {
  return (JSON.parse(atob(token.split('.')[1] ?? btoa('{}'))) as { name?: string }).name ?? ''
}
