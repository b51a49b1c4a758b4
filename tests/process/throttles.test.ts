// How often what may be asked for, at a server with its limits on (security.md AN-07, DO-04).
// Seen red with: the account's count keyed by the network too; a refresh refused with 429; places of the
// hour that stay taken by who is refused by the minute; mails counted by address alone; codes that are not counted by
// the day; challenges that are not counted; choices of a password that are not; guesses counted
// by person where they are one session's.
import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { beforeEach, expect, test } from 'vitest'
import { type Program, migratedDirectory, startProgram, untilReady } from './server-program.ts'

const administrator = { email: 'admin@banco.example', password: 'una clave de prueba larga' }

let server: Program
let dataDir = ''
let anonKey = ''

beforeEach(async () => {
  dataDir = await migratedDirectory()
  server = await startProgram({
    DATA_DIR: dataDir,
    TRUST_PROXY: '127.0.0.1',
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
  })
  await untilReady(server)
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { anonKey: string }
  anonKey = secrets.anonKey
}, 60_000)

/** A request of the authentication surface that comes from the given address. */
async function ask(from: string, path: string, body: object) {
  const answer = await fetch(`${server.url}/auth/v1${path}`, {
    method: 'POST',
    headers: {
      apikey: anonKey,
      'content-type': 'application/json',
      'x-forwarded-for': from,
      'x-supabase-api-version': '2024-01-01',
    },
    body: JSON.stringify(body),
  })
  const retryAfter = Number(answer.headers.get('retry-after') ?? 0)
  return { status: answer.status, retryAfter, text: await answer.text() }
}

function signIn(from: string, email: string, password = 'esta no es la clave') {
  return ask(from, '/token?grant_type=password', { email, password })
}

/** The names of the mails that are whole: what is being written has another name, and then is gone under that one. */
async function mails(): Promise<string[]> {
  const files = await readdir(join(dataDir, 'outbox')).catch(() => [])
  return files.filter((file) => file.endsWith('.eml'))
}

/** The text of the one mail, once it is there. */
async function onlyMail(): Promise<string> {
  await expect.poll(mails).toHaveLength(1)
  return readFile(join(dataDir, 'outbox', (await mails())[0] ?? ''), 'utf8')
}

const address = (index: number) => `203.0.${Math.floor(index / 250)}.${(index % 250) + 1}`

test('a thousand guesses from a thousand addresses: ten are looked at, and the owner gets in all the while', async () => {
  const { email, password } = administrator
  expect((await signIn('198.51.100.7', email, password)).status).toBe(200)

  // In waves: thirty-two are looked at together, and more are told to come again, which is no try.
  const guesses: Awaited<ReturnType<typeof signIn>>[] = []
  for (let wave = 0; wave < 40; wave += 1) {
    const indices = Array.from({ length: 25 }, (_, index) => wave * 25 + index)
    guesses.push(...(await Promise.all(indices.map((index) => signIn(address(index), email)))))
  }
  const owner = await signIn('198.51.100.7', email, password)
  const elsewhere = await signIn('198.51.100.8', email, password)

  const lookedAt = guesses.filter(({ status }) => status === 400)
  const refused = guesses.filter(({ status }) => status === 429)
  process.stdout.write(`1,000 guesses: ${lookedAt.length} reached the password, ${refused.length} refused\n`)
  expect(lookedAt).toHaveLength(10)
  expect(refused).toHaveLength(990)
  expect(server.output()).toContain('"msg":"too many requests"')
  for (const { retryAfter, text } of refused) {
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(text).toBe('{"code":"over_request_rate_limit","message":"Request rate limit reached"}')
  }
  expect(owner.status).toBe(200)
  expect(elsewhere.status).toBe(429)
})

test('unknown addresses are refused as known ones; a network has thirty failures in five minutes, an IPv6 network is one', async () => {
  const answers = async (email: string) => {
    const statuses: number[] = []
    for (let index = 0; index < 12; index += 1) statuses.push((await signIn(address(index), email)).status)
    return statuses
  }

  expect(await answers(`${randomUUID()}@banco.example`)).toEqual(await answers(administrator.email))

  const statuses: number[] = []
  for (let index = 0; index < 31; index += 1) {
    statuses.push((await signIn(`2001:db8:1:2::${index + 1}`, `${randomUUID()}@banco.example`)).status)
  }

  expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true)
  expect(statuses[30]).toBe(429)
  expect((await signIn('2001:db8:1:3::1', `${randomUUID()}@banco.example`)).status).toBe(400)
})

test('asking again and again within the minute keeps nobody from a mail for the hour', async () => {
  const { email } = administrator
  await ask('198.51.100.1', '/recover', { email })
  for (let index = 0; index < 30; index += 1) await ask(address(index), '/recover', { email })

  const { status, retryAfter } = await ask('198.51.100.2', '/recover', { email })

  expect(status).toBe(429)
  expect(retryAfter).toBeLessThanOrEqual(60)
})

test('one mail a minute to one address, known or not, and thirty sign-ups an hour from one network', async () => {
  const known = await ask('198.51.100.1', '/recover', { email: administrator.email })
  const knownAgain = await ask('198.51.100.2', '/recover', { email: administrator.email })
  const unknown = await ask('198.51.100.3', '/recover', { email: 'nadie@banco.example' })
  const unknownAgain = await ask('198.51.100.4', '/recover', { email: 'nadie@banco.example' })

  expect([known.status, unknown.status]).toEqual([200, 200])
  for (const { status, retryAfter, text } of [knownAgain, unknownAgain]) {
    expect(status).toBe(429)
    expect(text).toBe(
      `{"code":"over_email_send_rate_limit","message":"For security purposes, you can only request this after ${retryAfter} seconds."}`,
    )
  }
  await expect.poll(mails).toHaveLength(1)

  const signUp = (email: string) =>
    ask('198.51.100.5', '/signup', { email, password: `clave ${randomUUID()}` })
  const signUps = await Promise.all(Array.from({ length: 31 }, () => signUp(`${randomUUID()}@banco.example`)))
  expect(signUps.filter(({ status }) => status === 429)).toHaveLength(1)

  // Who is asked for a better password may send one at once.

  const email = `${randomUUID()}@banco.example`

  const weak = await ask('198.51.100.6', '/signup', { email, password: 'contraseña123' })
  const good = await ask('198.51.100.6', '/signup', { email, password: `clave ${randomUUID()}` })

  expect([weak.status, good.status]).toEqual([422, 200])
  expect(weak.text).toContain('"weak_password":{"reasons":["pwned"]}')
})

test('who signs in is not counted; after thirty refreshes in five minutes a session is told that the service is busy, and is not over', async () => {
  const from = '198.51.100.10'
  const signInThere = async () => {
    const { status, text } = await signIn(from, administrator.email, administrator.password)
    expect(status).toBe(200)
    return (JSON.parse(text) as { refresh_token: string }).refresh_token
  }
  const refresh = (token: string) => ask(from, '/token?grant_type=refresh_token', { refresh_token: token })
  for (let index = 0; index < 35; index += 1) await signInThere()
  let token = await signInThere()
  const another = await signInThere()
  for (let index = 0; index < 30; index += 1) {
    const { status, text } = await refresh(token)
    expect(status).toBe(200)
    token = (JSON.parse(text) as { refresh_token: string }).refresh_token
  }

  const beyond = await refresh(token)

  expect(beyond.status).toBe(503)
  expect(beyond.retryAfter).toBeGreaterThan(0)
  expect((await refresh(another)).status).toBe(200)
})

test('who signs up with somebody’s address keeps them from no link that lets them in', async () => {
  const { email } = administrator
  const signUp = await ask('198.51.100.1', '/signup', { email, password: `clave ${randomUUID()}` })
  const resend = await ask('198.51.100.2', '/resend', { type: 'signup', email: 'otra@banco.example' })

  const recovery = await ask('198.51.100.3', '/recover', { email })
  const magicLink = await ask('198.51.100.3', '/otp', { email, create_user: false })

  expect([signUp.status, resend.status, recovery.status, magicLink.status]).toEqual([200, 200, 200, 200])
  expect((await ask('198.51.100.4', '/recover', { email })).status).toBe(429)
})

test('twenty codes a day are typed for an account, from wherever; its link and its password stay', async () => {
  const { email, password } = administrator
  await ask('198.51.100.1', '/otp', { email, create_user: false })
  const mail = await onlyMail()
  const token = new URL(/^https?:\/\/\S+$/m.exec(mail)?.[0] ?? '').searchParams.get('token') ?? ''
  const digits = /código (\d{6}) /.exec(mail)?.[1] ?? ''
  const wrong = digits === '000000' ? '000001' : '000000'

  const typed: number[] = []
  for (let index = 0; index < 20; index += 1)
    typed.push((await ask(address(index), '/verify', { type: 'email', email, token: wrong })).status)
  const beyond = await ask('198.51.100.2', '/verify', { type: 'email', email, token: digits })

  expect(typed).toEqual(Array.from({ length: 20 }, () => 403))
  expect(beyond.status).toBe(429)
  expect(beyond.retryAfter).toBeGreaterThan(23 * 3600)
  expect((await signIn('198.51.100.2', email, password)).status).toBe(200)
  expect((await ask('198.51.100.2', '/verify', { type: 'magiclink', token_hash: token })).status).toBe(200)
})

test('who may choose a password without the present one may try ten in a minute', async () => {
  const { email, password } = administrator
  await ask('198.51.100.1', '/recover', { email })
  const mail = await onlyMail()
  const token = new URL(/^https?:\/\/\S+$/m.exec(mail)?.[0] ?? '').searchParams.get('token') ?? ''
  const client = createClient(server.url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  await client.auth.verifyOtp({ type: 'recovery', token_hash: token })

  const codes: unknown[] = []
  for (let index = 0; index < 11; index += 1)
    codes.push((await client.auth.updateUser({ password })).error?.code)

  // Refused after the hashing, again and again: the line for hashes is everybody's.
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 'same_password'), 'over_request_rate_limit'])
})

test('who guesses in a stolen session keeps its owner from changing the password in none of theirs', async () => {
  const open = async () => {
    const client = createClient(server.url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    })
    await client.auth.signInWithPassword(administrator)
    return client
  }
  const [thief, owner] = [await open(), await open()]

  const guesses: unknown[] = []
  for (let index = 0; index < 11; index += 1) {
    const guess = { password: `clave ${randomUUID()}`, current_password: `clave ${index}` }
    guesses.push((await thief.auth.updateUser(guess)).error?.code)
  }
  const changed = await owner.auth.updateUser({
    password: `clave ${randomUUID()}`,
    current_password: administrator.password,
  })

  expect(guesses.at(9)).toBe('current_password_invalid')
  expect(guesses.at(10)).toBe('over_request_rate_limit')
  expect(changed.error).toBeNull()
})

test('a session is asked fifteen questions for a code in a minute', async () => {
  const client = createClient(server.url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  await client.auth.signInWithPassword(administrator)
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' })
  const challenge = async () => (await client.auth.mfa.challenge({ factorId: data?.id ?? '' })).error?.status

  const challenges = await Promise.all(Array.from({ length: 16 }, challenge))

  expect(challenges.filter((status) => status === undefined)).toHaveLength(15)
  expect(challenges.filter((status) => status === 429)).toHaveLength(1)
})

test('six hundred calls of the functions in ten minutes, all at once if need be', async () => {
  const client = createClient(server.url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  await client.auth.signInWithPassword(administrator)
  const call = async () => {
    const { response } = await client.functions.invoke('manage-users', { body: { action: 'list' } })
    return { status: response?.status, retryAfter: Number(response?.headers.get('retry-after') ?? 0) }
  }

  const calls = await Promise.all(Array.from({ length: 601 }, call))

  expect(calls.filter(({ status }) => status === 400)).toHaveLength(600)
  const [refused] = calls.filter(({ status }) => status === 429)
  expect(refused?.retryAfter).toBeGreaterThan(0)
})

test('who has posted a new account’s expenses of a day is told when to go on', async () => {
  const client = createClient(server.url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const { data } = await client.auth.signInWithPassword(administrator)
  const expenses = (count: number) =>
    Array.from({ length: count }, () => ({
      user_id: data.user?.id,
      type: 'expense',
      description: 'Café',
      amount: 1,
    }))
  const post = (count: number) =>
    fetch(`${server.url}/rest/v1/transactions`, {
      method: 'POST',
      headers: {
        apikey: anonKey,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(expenses(count)),
    })

  const taken = await post(100)
  const beyond = await post(1)

  expect(taken.status).toBe(201)
  expect(beyond.status).toBe(429)
  expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
  expect(await beyond.json()).toMatchObject({ code: 'PT429' })
})
