/**
 * Every line of the log and every entry of the audit that docs/logging.md lists, provoked over HTTP and found by the id
 * of the request that wrote it (security.md LO-01, LO-04). Seen red with: a sign-in that is not logged; a line with the
 * address that was tried; another level; an action that the audit does not get; a row of the page that nothing provokes.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as sendSlowly } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { runCommand } from './operator-program.ts'
import { type Program, emptyDirectory, startProgram, untilReady } from './server-program.ts'

const administrator = { email: 'jefa@banco.example', password: 'una clave larga de la jefa' }
/** An older refresh token still counts this long after the last refresh. */
const reuseMs = 10_000
/** The first regular backup comes a minute after the start. */
const backupWaitMs = 90_000
const checkWaitMs = 30_000

type Answer = { status: number; requestId: string; body: Record<string, unknown>; headers: Headers }
type Line = { msg: string; level: number; time: number; reqId?: string } & Record<string, unknown>
/** What happened, the request that wrote it if one did, and what its line or entry says besides. */
type Provoked = readonly [words: string, by: Answer | null, fields?: Record<string, unknown>]

/** What only a database in somebody else's hands brings about. */
const provokedElsewhere = new Map([
  ['ALARM: the ledger does not verify', 'tests/process/ledger-alarm.test.ts'],
  ['ALARM: the database refuses the login of this server', 'tests/process/two-banks.test.ts'],
  ['ALARM: the clock differs from the database’s', 'tests/process/server-alone.test.ts'],
  ['sockets are sent elsewhere', 'tests/process/server-alone.test.ts'],
  ['request failed', 'tests/process/server-alone.test.ts'],
  ['X-Forwarded-For arrives, and TRUST_PROXY is not set', 'server/http/log.test.ts'],
])

test('every line and every entry of the catalogue comes when it should, with the id of its request, and tells no secret', async () => {
  const bank = await openBank()
  const withoutBackups = await bankThatCannotSave()

  const lines = [
    ...(await signingInAndOut(bank)),
    ...(await passwordsAndAddresses(bank)),
    ...(await secondFactors(bank)),
    ...(await requestsAndMails(bank)),
  ]
  const entries = await audited(bank)
  lines.push(
    ['backup made', null, { removed: [] }],
    ['the ledger verifies', null, { customers: expect.any(Number) }],
  )
  await expect.poll(() => words(bank), { timeout: checkWaitMs }).toContain('the ledger verifies')
  await expect.poll(() => words(bank), { timeout: backupWaitMs }).toContain('backup made')
  await expect
    .poll(() => words(withoutBackups), { timeout: backupWaitMs })
    .toContain('ALARM: no backup was made')
  const audit = await auditOf(bank)
  lines.push(...(await ending(bank)))

  const log = linesOf(bank)
  const failures = linesOf(withoutBackups)
  const said = [...log, ...failures]
  expect.soft(lines.filter((event) => !said.some((line) => tellsOf(line, event))).map(describe)).toEqual([])
  expect
    .soft(entries.filter((event) => !audit.some((entry) => isEntryOf(entry, event))).map(describe))
    .toEqual([])

  const page = await readFile('docs/logging.md', 'utf8')
  const listed = tableOf(page, 'Lines of the log')
  const provoked = new Set([
    ...lines.map(([msg]) => msg),
    'ALARM: no backup was made',
    ...provokedElsewhere.keys(),
  ])
  expect.soft(listed.map(([msg]) => msg).toSorted()).toEqual([...provoked].toSorted())
  for (const [msg, file] of provokedElsewhere)
    expect(await readFile(file, 'utf8')).toContain(msg.split(':')[0])
  const levels = { news: 30, warning: 40, error: 50 }
  const levelOf = new Map(listed.map(([msg, level]) => [msg, levels[level as keyof typeof levels]]))
  expect.soft(said.filter(({ msg, level }) => levelOf.has(msg) && levelOf.get(msg) !== level)).toEqual([])
  expect
    .soft(
      tableOf(page, 'Entries of the audit')
        .map(([action, outcome]) => `${action} ${outcome}`)
        .toSorted(),
    )
    .toEqual([...new Set(entries.map(([entry]) => entry))].toSorted())

  const output = bank.program.output() + withoutBackups.program.output() + JSON.stringify(audit)
  expect(bank.secrets.size).toBeGreaterThan(40)
  expect.soft([...bank.secrets].filter((secret) => output.includes(secret))).toEqual([])
  expect.soft(output).not.toMatch(/[\w.+-]+@[\w-]+\.example/)
}, 240_000)

// What happens, story by story.

async function signingInAndOut(bank: Bank): Promise<Provoked[]> {
  const admin = await bank.signIn(administrator)
  const unknown = await bank.signIn({ email: 'nadie@otro.example', password: 'no es de nadie' })
  const wrong = await bank.signIn({ ...administrator, password: 'no es la clave' })
  const person = newPerson()
  const signedUp = await bank.ask('POST', '/auth/v1/signup', {
    body: { ...person, data: { full_name: 'Ana' } },
  })
  const early = await bank.signIn(person)
  const taken = await bank.ask('POST', '/auth/v1/signup', {
    body: { email: administrator.email, password: 'otra clave larga' },
  })
  const confirmed = await bank.follow(await bank.linkTo(person.email))
  const spent = await bank.follow(await bank.linkTo(person.email))
  const ofPkce = await bank.ask('POST', '/auth/v1/token?grant_type=pkce', {
    body: { auth_code: randomUUID(), code_verifier: 'x'.repeat(50) },
  })
  const session = await bank.signIn(person)
  const userId = idOf(session)
  const left = await bank.ask('POST', '/auth/v1/logout?scope=local', { token: tokenOf(session) })
  const late = await bank.refresh(session)
  const stolen = await bank.signIn(person)
  const first = await bank.refresh(stolen)
  await bank.refresh(first)
  await pause(reuseMs + 500)
  const twice = await bank.refresh(stolen)
  return [
    ['the server serves', null, { engine: 'pglite', version: expect.stringMatching(/^\d/) }],
    ['signed in', admin, { userId: idOf(admin), method: 'password', sessionId: expect.any(String) }],
    ['sign-in refused', unknown, { userId: null, reason: 'wrong credentials' }],
    ['sign-in refused', wrong, { userId: idOf(admin), reason: 'wrong credentials' }],
    ['signed up', signedUp, { userId }],
    ['mail asked for', signedUp, { purpose: 'sign-up' }],
    ['sign-in refused', early, { userId, reason: 'not confirmed' }],
    ['sign-up with a taken address', taken],
    ['signed in', confirmed, { userId, method: 'otp' }],
    ['link refused', spent, { type: 'signup' }],
    ['link refused', ofPkce, { type: 'pkce', reason: 'unknown code' }],
    ['signed out', left, { userId, scope: 'local' }],
    ['refresh refused', late, { reason: 'not_found' }],
    ['refresh token used twice', twice, { reason: 'already_used', sessionId: expect.any(String) }],
  ]
}

async function passwordsAndAddresses(bank: Bank): Promise<Provoked[]> {
  const person = await bank.newCustomer()
  const change = (body: object) => bank.ask('PUT', '/auth/v1/user', { token: person.token, body })
  const password = bank.secret(`otra clave ${randomUUID()}`)
  const refused = await change({ password, current_password: 'no es esta' })
  const changed = await change({ password, current_password: person.password })
  const email = bank.secret(`nueva-${randomUUID()}@banco.example`)
  const asked = await change({ email })
  const half = await bank.follow(await bank.linkTo(person.email, 3))
  const whole = await bank.follow(await bank.linkTo(email))
  const { userId } = person
  return [
    ['password change refused', refused, { userId, reason: 'wrong current password' }],
    ['password changed', changed, { userId }],
    ['mail asked for', asked, { purpose: 'email change' }],
    [
      'email changed',
      half.headers.get('location')?.includes('access_token') === true ? half : whole,
      { userId },
    ],
  ]
}

async function secondFactors(bank: Bank): Promise<Provoked[]> {
  const { userId, ...person } = await bank.newCustomer()
  let { token } = person
  const ask = (method: string, path: string, body?: object) =>
    bank.ask(method, `/auth/v1/factors${path}`, body === undefined ? { token } : { token, body })
  const enrolled = await ask('POST', '', { factor_type: 'totp', friendly_name: 'móvil' })
  const { secret } = enrolled.body['totp'] as { secret: string }
  const app = new AuthenticatorApp(bank.secret(secret))
  const id = String(enrolled.body['id'])
  const show = async (code: string) => {
    const { body } = await ask('POST', `/${id}/challenge`, {})
    return ask('POST', `/${id}/verify`, { challenge_id: body['id'], code })
  }
  const wrong = await show('000000')
  const added = await show(await app.nextCode())
  token = tokenOf(added)
  const made = await ask('POST', '/recovery-codes')
  const [paper = ''] = made.body['codes'] as string[]
  for (const code of made.body['codes'] as string[]) bank.secret(code)
  const mistyped = await ask('POST', '/recovery-codes/verify', { code: 'no es ninguna' })
  const shown = await ask('POST', '/recovery-codes/verify', { code: paper })
  const removed = await ask('DELETE', '/recovery-codes')
  const gone = await ask('DELETE', `/${id}`)
  return [
    ['second factor refused', wrong, { userId, factor: 'app', reason: 'wrong code' }],
    ['second factor added', added, { userId, factor: 'app' }],
    ['second factor shown', added, { userId, factor: 'app', sessionId: expect.any(String) }],
    ['recovery codes made', made, { userId }],
    ['second factor refused', mistyped, { userId, factor: 'recovery code' }],
    ['second factor shown', shown, { userId, factor: 'recovery code' }],
    ['recovery codes removed', removed, { userId }],
    ['second factor removed', gone, { userId, factor: 'app' }],
    ...(await lostFactor(bank)),
  ]
}

/** Somebody who proves who they are, adds an app, cannot show it, and then takes it back by the link in its notice. */
async function lostFactor(bank: Bank): Promise<Provoked[]> {
  const { userId, email, password, token } = await bank.newCustomer()
  const change = (body: object) => bank.ask('PUT', '/auth/v1/user', { token, body })
  const mistaken = await change({ current_password: 'no es esta' })
  const proven = await change({ current_password: password })
  const enrolled = await bank.ask('POST', '/auth/v1/factors', { token, body: { factor_type: 'totp' } })
  const { secret } = enrolled.body['totp'] as { secret: string }
  const factor = `/auth/v1/factors/${String(enrolled.body['id'])}`
  const challenge = await bank.ask('POST', `${factor}/challenge`, { token, body: {} })
  const code = await new AuthenticatorApp(bank.secret(secret)).nextCode()
  await bank.ask('POST', `${factor}/verify`, { token, body: { challenge_id: challenge.body['id'], code } })
  const notice = new URLSearchParams(new URL(await bank.linkTo(email, 2)).hash.slice(1))
  await bank.ask('POST', '/auth/v1/recover', { body: { email } })
  const recovered = await bank.follow(await bank.linkTo(email, 3))
  const fragment = new URL(recovered.headers.get('location') ?? '').hash.slice(1)
  const owner = bank.secret(new URLSearchParams(fragment).get('access_token') ?? '')
  const asked = await bank.ask('DELETE', factor, { token: owner })
  const undone = await bank.ask('POST', '/auth/v1/verify', {
    body: { type: 'recovery', token_hash: bank.secret(notice.get('token_hash') ?? '') },
  })
  return [
    ['proof refused', mistaken, { userId, reason: 'wrong current password' }],
    ['proof shown', proven, { userId, sessionId: expect.any(String) }],
    ['end of second factors asked for', asked, { userId, sessionId: expect.any(String) }],
    ['second factor removed', undone, { userId, factor: 'undone' }],
  ]
}

async function requestsAndMails(bank: Bank): Promise<Provoked[]> {
  const badToken = await bank.ask('GET', '/rest/v1/budgets?select=balance', { token: 'e.y.z' })
  const badKey = await bank.ask('GET', '/auth/v1/user', { apikey: 'otra' })
  const { token, userId } = await bank.newCustomer()
  const notTheirs = await bank.ask('GET', '/rest/v1/audit_entries', { token })
  const notDeleted = await bank.ask('POST', '/functions/v1/manage-users', {
    token,
    body: { action: 'delete', userId },
  })
  const email = `nadie-${randomUUID()}@banco.example`
  const recovery = await bank.ask('POST', '/auth/v1/recover', { body: { email } })
  const again = await bank.ask('POST', '/auth/v1/recover', { body: { email } })
  const slow = await bank.askSlowly()
  const signUp = (address: string) =>
    bank.ask('POST', '/auth/v1/signup', { body: { email: address, password: bank.secret(randomUUID()) } })
  await signUp(`luego-${randomUUID()}@banco.example`)
  await signUp(`nunca-${randomUUID()}@banco.example`)
  await expect.poll(() => words(bank)).toContain('ALARM: a mail was given up')
  await expect.poll(() => words(bank)).toContain('a mail waits to be sent')
  return [
    ['request refused', badToken, { method: 'GET', path: '/rest/v1/budgets', status: 401 }],
    ['request refused', badKey, { path: '/auth/v1/user', status: 401 }],
    [
      'action denied',
      notTheirs,
      { status: 403, actor: userId, action: 'GET audit_entries', target: null, code: '42501' },
    ],
    [
      'action denied',
      notDeleted,
      { status: 403, actor: userId, action: 'delete_user', target: userId, code: '42501' },
    ],
    ['mail asked for', recovery, { purpose: 'recovery' }],
    ['too many requests', again, { method: 'POST', path: '/auth/v1/recover', status: 429 }],
    ['slow request', slow, { path: '/auth/v1/recover', status: 400 }],
    ['a mail waits to be sent', null, { responseCode: 451, attempts: 1, mail: expect.any(String) }],
    ['ALARM: a mail was given up', null, { responseCode: 550, attempts: 1 }],
  ]
}

async function ending(bank: Bank): Promise<Provoked[]> {
  bank.program.process.kill('SIGTERM')
  await expect.poll(() => words(bank)).toContain('the server drains')
  expect(await bank.program.ended).toBe(0)
  return [
    ['the server drains', null, { drainSeconds: 2 }],
    ['the server has ended', null],
  ]
}

async function audited(bank: Bank): Promise<Provoked[]> {
  const { token } = await bank.administrator()
  const [customer, leaver, other] = [
    await bank.newCustomer(),
    await bank.newCustomer(),
    await bank.newCustomer(),
  ]
  const call = (by: string, name: string, body: object) =>
    bank.ask('POST', `/functions/v1/${name}`, { token: by, body })
  const deposit = {
    action: 'create',
    transactionData: { user_id: customer.userId, amount: '10', description: 'Nómina', type: 'deposit' },
  }
  const newUser = { action: 'create', ...newPerson(), role: 'user', user_metadata: { full_name: 'Inés' } }
  const setRole = (by: string, id: string, role: string) =>
    bank.ask('PATCH', `/rest/v1/profiles?id=eq.${id}`, { token: by, body: { role } })
  const service = (method: string, path: string, body?: object) =>
    bank.ask(method, `/auth/v1${path}`, body === undefined ? bank.serviceKey : { ...bank.serviceKey, body })
  const operator = (command: string, email: string) =>
    runCommand('admin', [command, email, '--json'], { DATA_DIR: bank.dataDir })

  const registered = await call(token, 'manage-transactions', deposit)
  const created = await call(token, 'manage-users', newUser)
  await setRole(token, other.userId, 'admin')
  await service('PUT', `/admin/users/${other.userId}`, { ban_duration: '1h' })
  await service('PUT', `/admin/users/${other.userId}`, { ban_duration: 'none' })
  await service('PUT', `/admin/users/${other.userId}`, { password: bank.secret(`clave ${randomUUID()}`) })
  await service('PUT', `/admin/users/${other.userId}`, {
    email: bank.secret(`x-${randomUUID()}@banco.example`),
  })
  const enrolled = await bank.ask('POST', '/auth/v1/factors', {
    token: customer.token,
    body: { factor_type: 'totp', friendly_name: 'móvil' },
  })
  await service('DELETE', `/admin/users/${customer.userId}/factors/${String(enrolled.body['id'])}`)
  await service('POST', '/invite', { email: bank.secret(`i-${randomUUID()}@banco.example`) })
  await service('POST', '/admin/generate_link', { type: 'recovery', email: customer.email })
  const reset = await operator('reset-access', leaver.email)
  const { password } = JSON.parse(reset.stdout) as { password: string }
  const back = await bank.signIn({ email: leaver.email, password: bank.secret(password) })
  await operator('revoke', customer.email)
  const erased = await call(tokenOf(back), 'delete-account', { password })
  const deleted = await call(token, 'manage-users', { action: 'delete', userId: customer.userId })

  const byRequest = { origin: 'request' }
  const byService = { origin: 'service', target: other.userId }
  return [
    ['register_transaction done', registered, { ...byRequest, target: customer.userId }],
    ['create_user done', created, byRequest],
    ['change_role done', null, { ...byRequest, target: other.userId, after: { role: 'admin' } }],
    ['ban_user done', null, byService],
    ['unban_user done', null, byService],
    ['set_password done', null, { ...byService, after: null }],
    ['set_email done', null, { ...byService, after: null }],
    ['remove_factor done', null, { origin: 'service', target: customer.userId }],
    ['invite_user done', null, { origin: 'service' }],
    ['generate_link done', null, { origin: 'service', target: customer.userId }],
    ['reset_access done', null, { origin: 'operator', target: leaver.userId }],
    ['revoke_sessions done', null, { origin: 'operator', target: customer.userId }],
    ['delete_user done', erased, { actor: leaver.userId, target: leaver.userId }],
    ['delete_user done', deleted, { ...byRequest, target: customer.userId }],
  ]
}

// The bank, and how it is asked.

type Person = { email: string; password: string; userId: string; token: string }
type Asked = { token?: string; apikey?: string; body?: object }
type Bank = Awaited<ReturnType<typeof openBank>>

/** A server with a mail server, all of its limits, and a regular backup after a minute. */
async function openBank() {
  const mails = await startMailServer((address) => {
    if (address.startsWith('luego-')) return 451
    return address.startsWith('nunca-') ? 550 : null
  })
  const dataDir = await emptyDirectory()
  const program = await startProgram({
    DATA_DIR: dataDir,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    BACKUP_INTERVAL_MINUTES: '1',
    DRAIN_SECONDS: '2',
    LOG_LEVEL: 'info',
    MAIL_FROM: 'banco@finanzas.local',
    SMTP_URL: mails.url,
    TRUST_PROXY: '127.0.0.1',
  })
  await untilReady(program)
  const keys = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
  return { program, dataDir, ...asking(program, { mails, keys }) }
}

/** One whose backups have no place: a file stands in the folder's way. */
async function bankThatCannotSave(): Promise<{ program: Program }> {
  const dataDir = await emptyDirectory()
  const program = await startProgram({ DATA_DIR: dataDir, BACKUP_INTERVAL_MINUTES: '1' })
  await untilReady(program)
  await rm(join(dataDir, 'backups'), { recursive: true, force: true })
  await writeFile(join(dataDir, 'backups'), '')
  return { program }
}

function asking(program: Program, { mails, keys }: { mails: MailServer; keys: Record<string, string> }) {
  const { anonKey = '', serviceRoleKey = '' } = keys
  /** What no line may hold. */
  const secrets = new Set([...Object.values(keys), administrator.email, administrator.password])
  const secret = (text: string) => {
    secrets.add(text)
    return text
  }
  let asked = 0
  /** From another network each time: the limits are not what is asked about here. */
  const headersOf = ({ apikey = anonKey, token = apikey }: Asked): Record<string, string> => ({
    apikey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-forwarded-for': `203.0.113.${(asked += 1) % 250}`,
  })
  const ask = async (method: string, path: string, given: Asked): Promise<Answer> => {
    const body = given.body === undefined ? {} : { body: JSON.stringify(given.body) }
    const headers = headersOf(given)
    const answer = await fetch(program.url + path, { method, headers, redirect: 'manual', ...body })
    const text = await answer.text()
    const read = /^[{[]/.test(text) ? (JSON.parse(text) as Record<string, unknown>) : {}
    for (const name of ['access_token', 'refresh_token'])
      if (typeof read[name] === 'string') secret(read[name])
    const requestId = answer.headers.get('x-request-id') ?? ''
    return { status: answer.status, requestId, body: read, headers: answer.headers }
  }
  const signIn = ({ email, password }: { email: string; password: string }) => {
    secret(password)
    return ask('POST', '/auth/v1/token?grant_type=password', { body: { email: secret(email), password } })
  }
  const linkTo = async (email: string, count = 1): Promise<string> => {
    await expect.poll(() => mails.mailsTo(email).length).toBeGreaterThanOrEqual(count)
    const link = /^https?:\/\/\S+$/m.exec(mails.mailsTo(email)[count - 1] ?? '')?.[0] ?? ''
    const { searchParams, hash } = new URL(link)
    secret(searchParams.get('token') ?? new URLSearchParams(hash.slice(1)).get('token_hash') ?? link)
    return link
  }
  const follow = async (link: string): Promise<Answer> => {
    const { pathname, search } = new URL(link)
    return ask('GET', pathname + search, {})
  }
  return {
    secrets,
    secret,
    ask,
    signIn,
    linkTo,
    follow,
    serviceKey: { apikey: secret(serviceRoleKey) },
    refresh: ({ body }: Answer) =>
      ask('POST', '/auth/v1/token?grant_type=refresh_token', {
        body: { refresh_token: body['refresh_token'] },
      }),
    async administrator(): Promise<{ token: string }> {
      return { token: tokenOf(await signIn(administrator)) }
    },
    /** Somebody who has signed up, confirmed and signed in. */
    async newCustomer(): Promise<Person> {
      const person = newPerson()
      secret(person.email)
      await ask('POST', '/auth/v1/signup', { body: { ...person, data: { full_name: 'Luis' } } })
      await follow(await linkTo(person.email))
      const session = await signIn(person)
      return { ...person, userId: idOf(session), token: tokenOf(session) }
    },
    /** A question whose second half comes more than a second after the first. */
    async askSlowly(): Promise<Answer> {
      const sent = sendSlowly(`${program.url}/auth/v1/recover`, { method: 'POST', headers: headersOf({}) })
      const answered = once(sent, 'response')
      sent.write('{')
      await pause(1200)
      sent.end('}')
      const [answer] = (await answered) as [IncomingMessage]
      answer.resume()
      const requestId = String(answer.headers['x-request-id'])
      return { status: answer.statusCode ?? 0, requestId, body: {}, headers: new Headers() }
    },
  }
}

const newPerson = () => ({
  email: `cliente-${randomUUID()}@banco.example`,
  password: `clave ${randomUUID()}`,
})
const tokenOf = ({ body }: Answer) => String(body['access_token'])
const idOf = ({ body }: Answer) => String((body['user'] as { id?: string } | undefined)?.id)

// What was found.

/** The log alone: what is printed for people stands around it. */
function linesOf({ program }: { program: Program }): Line[] {
  const lines = program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Line)
}

const words = (bank: { program: Program }) => linesOf(bank).map(({ msg }) => msg)

async function auditOf(bank: Bank): Promise<Record<string, unknown>[]> {
  const { token } = await bank.administrator()
  const { body } = await bank.ask('GET', '/rest/v1/audit_entries?order=id', { token })
  return body as unknown as Record<string, unknown>[]
}

function tellsOf(line: Line, [msg, by, fields = {}]: Provoked): boolean {
  return line.msg === msg && (by === null || line.reqId === by.requestId) && holds(line, fields)
}

function isEntryOf(entry: Record<string, unknown>, [what, by, fields = {}]: Provoked): boolean {
  const isSame = `${String(entry['action'])} ${String(entry['outcome'])}` === what
  return isSame && (by === null || entry['request_id'] === by.requestId) && holds(entry, fields)
}

function holds(found: Record<string, unknown>, fields: Record<string, unknown>): boolean {
  return expect.objectContaining(fields).asymmetricMatch(found)
}

const describe = ([what, by, fields]: Provoked) => ({
  what,
  status: by?.status,
  code: by?.body['code'],
  fields,
})

/** The first two cells of each row of a table of the page, without their signs. */
function tableOf(page: string, heading: string): [string, string][] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \| (\w+) \|.*\n(?!\|---)/gm)].map(
    ([, first = '', second = '']) => [first, second],
  )
}
