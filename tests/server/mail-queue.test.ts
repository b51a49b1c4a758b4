// Tests the mail queue with a real mail server (smtp-server) and a real database.
import { type AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import type { QueuedNotice } from '#server/mail/notice-mail.ts'
import type { Mail } from '#server/mail/mail-page.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { type DeliveryListener, MailQueue, type DeliveryFailure } from '#server/mail/mail-queue.ts'
import { deriveKeys } from '#server/tokens/keys.ts'
import { databaseOfFile } from '#testing/surfaces.ts'

const { database, owner } = await databaseOfFile()
let mailServer: SMTPServer
/** The raw source of each message that the mail server accepted. */
let taken: string[] = []
/** Decides how the mail server answers for a recipient. `null` means that the mail server accepts the mail. */
let answerTo: (address: string) => Error | null = () => null
const queues: MailQueue[] = []
let troubles: [kind: 'delayed' | 'given up', trouble: DeliveryFailure, recipient?: string | null][] = []

const mail = {
  to: 'ana@banco.example',
  subject: 'Confirma tu cuenta',
  text: 'https://banco.example/auth/v1/verify?token=secreto\n',
  html: '<p>Hola</p>',
}
const { mails: seal } = deriveKeys('the secret of this test, which is long enough')
const sealed = (content: object, key = seal) => key.seal(Buffer.from(JSON.stringify(content)))
const listener: DeliveryListener = {
  onDelayed: (trouble) => troubles.push(['delayed', trouble]),
  onGivenUp: (trouble, recipient) => troubles.push(['given up', trouble, recipient]),
  onFailure: (error) => {
    throw error
  },
}

beforeEach(async () => {
  taken = []
  troubles = []
  answerTo = () => null
  await owner.query(sql`delete from auth.outgoing_mails`)
})
afterEach(async () => {
  // Closes the queues first, because closing the mail server takes until the queues have closed all their connections.
  await Promise.all(queues.splice(0).map((queue) => queue.close()))
  await new Promise<void>((resolve) => mailServer.close(resolve))
})

/** Starts the mail server and returns its port. */
async function listen(options: SMTPServerOptions = {}, port = 0): Promise<number> {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => done(answerTo(address)),
    onData: (stream, _session, done) => take(stream, () => done()),
    ...options,
  })
  mailServer.on('error', () => undefined)
  await new Promise<void>((resolve) => mailServer.listen(port, '127.0.0.1', resolve))
  return (mailServer.server.address() as AddressInfo).port
}

function take(stream: Readable, done: () => void): void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => {
    taken.push(Buffer.concat(chunks).toString())
    done()
  })
}

/** Creates an error that makes the mail server refuse a message with this response code. */
const saying = (responseCode: number, text = 'no') => Object.assign(new Error(text), { responseCode })
const answering = (error: Error) => (_given: unknown, _session: unknown, done: (error: Error) => void) =>
  done(error)

type QueueOptions = { leaseSeconds?: number; sendsAtOnce?: boolean }

function queueTo(smtpUrl: string, options: QueueOptions = {}): MailQueue {
  const transport = createMailer({
    smtp: { smtpUrl, from: { name: 'Banco', address: 'no-reply@banco.example' } },
    outboxDirectory: '',
    onKept: () => undefined,
  })
  const mailOf = ({ to, topic }: QueuedNotice): Mail => ({ to, subject: topic, text: topic, html: topic })
  const queue = new MailQueue({ database, seal, transport, mailOf, ...options })
  queues.push(queue)
  return queue
}

/** Starts the mail server and a queue that delivers its mails to it. */
async function startQueue(options?: SMTPServerOptions, queueOptions?: QueueOptions) {
  const queue = queueTo(`smtp://127.0.0.1:${await listen(options)}`, queueOptions)
  queue.deliver(listener)
  return queue
}

/**
 * Returns for each queued mail the number of attempts and the seconds until the next attempt, rounded up to half
 * minutes.
 */
async function waiting(): Promise<{ attempts: number; secondsMax: number | null }[]> {
  return owner.query(sql<{ attempts: number; secondsMax: number | null }>`
    select attempts, (ceil(extract(epoch from next_try_at - now()) / 30) * 30)::integer as "secondsMax"
    from auth.outgoing_mails`)
}

test('the queue sends a mail over TLS with a password and then deletes the mail', async () => {
  const seen: unknown[] = []
  const port = await listen({
    secure: true,
    authOptional: false,
    onAuth: ({ username, password }, _session, done) => {
      seen.push(username, password)
      done(null, { user: 'banco' })
    },
  })
  const queue = queueTo(`smtps://banco:cl%40ve@127.0.0.1:${port}?tls.rejectUnauthorized=false`)
  queue.deliver(listener)

  await queue.send(mail)

  await expect.poll(waiting).toEqual([])
  expect(taken).toHaveLength(1)
  expect(taken[0]).toContain('verify?token=secreto')
  expect(seen).toEqual(['banco', 'cl@ve'])
})

test.each([
  ['stores', false],
  ['does not store', true],
])('a queue that %s its own mails sends a notice of the database', async (_, sendsAtOnce) => {
  const queue = await startQueue({}, { sendsAtOnce })
  const facts = { code: 'disk-low', is_open: true, happened_at: '2026-11-20T12:00:00Z' }
  const notice = { to: mail.to, topic: 'alarm', facts, at: '2026-11-20T12:00:00Z' }
  await owner.query(sql`insert into auth.outgoing_mails (notice) values (${JSON.stringify(notice)}::jsonb)`)

  queue.deliverSoon()

  await expect.poll(waiting).toEqual([])
  expect(taken[0]).toContain('Subject: alarm')
})

test('a mail waits if the mail server has an untrusted certificate', async () => {
  const port = await listen({ secure: true })
  const queue = queueTo(`smtps://127.0.0.1:${port}`)
  queue.deliver(listener)

  await queue.send(mail)

  await expect.poll(() => troubles.length).toBe(1)
  expect(troubles[0]?.[0]).toBe('delayed')
  expect(taken).toEqual([])
})

test.each([
  ['a wrong password', { authOptional: false, onAuth: answering(new Error('no')) }, 'EAUTH'],
  ['a server that is busy', { onMailFrom: answering(saying(451)) }, 'EENVELOPE'],
  ['a sender that the server does not know', { onMailFrom: answering(saying(550)) }, 'EENVELOPE'],
])('%s delays the mail, twice as long after each attempt', async (_, options, code) => {
  const port = await listen(options)
  const credentials = code === 'EAUTH' ? 'banco:clave@' : ''
  const queue = queueTo(`smtp://${credentials}127.0.0.1:${port}`)
  queue.deliver(listener)
  await queue.send(mail)
  await expect.poll(() => troubles.length).toBe(1)
  await expect.poll(waiting).toEqual([{ attempts: 1, secondsMax: 30 }])

  await owner.query(sql`update auth.outgoing_mails set next_try_at = now()`)
  queue.deliver(listener)

  // Waits for the failure first, because during an attempt `next_try_at` is the end of the lease.
  await expect.poll(() => troubles.length).toBe(2)
  await expect.poll(waiting).toEqual([{ attempts: 2, secondsMax: 60 }])
  expect(troubles.map(([kind, trouble]) => [kind, trouble.code])).toEqual([
    ['delayed', code],
    ['delayed', code],
  ])
  expect(JSON.stringify(troubles)).not.toContain('ana@')
})

test('a queued mail survives a mail server outage and a restart of our server', async () => {
  const port = await listen()
  await new Promise<void>((resolve) => mailServer.close(resolve))
  const first = queueTo(`smtp://127.0.0.1:${port}`)
  first.deliver(listener)
  await first.send(mail)
  await expect.poll(() => troubles.map(([, { code }]) => code)).toEqual(['ESOCKET'])
  await first.close()

  await listen({}, port)
  await owner.query(sql`update auth.outgoing_mails set next_try_at = now()`)
  queueTo(`smtp://127.0.0.1:${port}`).deliver(listener)

  await expect.poll(() => taken.length).toBe(1)
  await expect.poll(waiting).toEqual([])
})

test('the lease of a mail is renewed while a slow mail server accepts the mail', async () => {
  let answer: () => void = () => undefined
  const onData: SMTPServerOptions['onData'] = (stream, _session, done) => {
    stream.resume()
    stream.on('end', () => (answer = done))
  }
  const queue = await startQueue({ onData }, { leaseSeconds: 1 })
  await queue.send(mail)
  const leases = new Set<string>()

  await expect
    .poll(async () => {
      const [row] = await owner.query(sql<{ until: string; isDue: boolean }>`
        select next_try_at::text as until, next_try_at <= now() as "isDue" from auth.outgoing_mails`)
      expect(row?.isDue).toBe(false)
      leases.add(row?.until ?? '')
      return leases.size
    })
    .toBeGreaterThan(3)

  answer()
  await expect.poll(waiting).toEqual([])
})

test('a mail keeps its Message-ID when it is sent again', async () => {
  const queue = await startQueue({
    onData: (stream, _session, done) => take(stream, () => done(taken.length === 1 ? saying(451) : null)),
  })
  await queue.send(mail)
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1)
  await expect.poll(() => troubles.length).toBe(1)

  await owner.query(sql`update auth.outgoing_mails set next_try_at = now()`)
  queue.deliver(listener)

  await expect.poll(waiting).toEqual([])
  const ids = taken.map((message) => /^Message-ID: (.*)$/im.exec(message)?.[1]?.trim())
  expect(ids).toHaveLength(2)
  expect(ids[0]).toMatch(/^<[\da-f-]{36}@banco\.example>$/)
  expect(ids[1]).toBe(ids[0])
})

test('two servers together send each of fifty mails only once', async () => {
  const port = await listen()
  const one = queueTo(`smtp://127.0.0.1:${port}`)
  const other = queueTo(`smtp://127.0.0.1:${port}`)
  const subjects = Array.from({ length: 50 }, (_, index) => `Correo ${index}`)
  await Promise.all(
    subjects.map((subject, index) => (index % 2 === 0 ? one : other).send({ ...mail, subject })),
  )

  one.deliver(listener)
  other.deliver(listener)

  await expect.poll(waiting).toEqual([])
  const sent = taken.map((message) => /^Subject: (.*)$/m.exec(message)?.[1]?.trim() ?? '')
  expect(sent.toSorted()).toEqual(subjects.toSorted())
})

test('the queue gives up on a mail to an unknown recipient and sends the other mails', async () => {
  answerTo = (address) => (address.startsWith('nadie') ? saying(550, '5.1.1 no such user') : null)
  const port = await listen()
  const queue = queueTo(`smtp://127.0.0.1:${port}`)
  await queue.send({ ...mail, to: 'nadie@banco.example' })
  await queue.send(mail)
  await owner.query(sql`
    insert into auth.outgoing_mails (sealed, attempts, created_at)
    values (${sealed({ ...mail, to: 'nadie-2@banco.example' })}, 20, now() - interval '24 hours'),
           (${sealed(mail, deriveKeys('another secret').mails)}, 0, now())`)

  queue.deliver(listener)

  await expect.poll(() => troubles.length).toBe(3)
  expect(troubles.every(([kind]) => kind === 'given up')).toBe(true)
  const codes = troubles.map(([, { code }, recipient]) => `${code} ${recipient}`)
  expect(codes.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'EENVELOPE nadie-2@banco.example',
    'EENVELOPE nadie@banco.example',
    'UnreadableMail null',
  ])
  await expect.poll(() => taken.length).toBe(1)
  await expect
    .poll(async () => (await waiting()).map(({ secondsMax }) => secondsMax))
    .toEqual([null, null, null])
  expect(queue.givenUp).toBe(3)
})

test.each([
  [550, '5.7.1 relaying denied', 1],
  [554, '5.7.0 your address is blocked', 20],
  [553, 'sender not accepted', 20],
  [552, '5.2.2 mailbox full', 20],
  [550, 'no', 2],
  [550, 'mailbox unavailable', 20],
  [550, '5.2.1 receives mail at a rate that prevents delivery', 20],
  [550, 'sender address rejected: user unknown', 20],
])('the queue sends a mail again after the answer %i %s', async (code, text, attempts) => {
  answerTo = () => saying(code, text)
  const queue = queueTo(`smtp://127.0.0.1:${await listen()}`)
  await owner.query(sql`
    insert into auth.outgoing_mails (sealed, attempts) values (${sealed(mail)}, ${attempts - 1})`)

  queue.deliver(listener)

  await expect.poll(() => troubles.map(([kind]) => kind)).toEqual(['delayed'])
})

test.each([
  [550, '5.1.1 no such user', 1],
  [550, '5.1.2 no such domain', 1],
  [553, '5.1.3 not an address', 1],
  [551, '5.1.6 has moved', 1],
  [556, '5.1.10 null MX', 1],
  [550, '<nadie@banco.example>: Recipient address rejected: User unknown in local recipient table', 1],
  [550, 'No such user here', 1],
  [550, 'The mailbox does not exist', 1],
])('the queue gives up on a recipient of whom the server says %i %s', async (code, text, attempts) => {
  answerTo = () => saying(code, text)
  const queue = queueTo(`smtp://127.0.0.1:${await listen()}`)
  await owner.query(sql`
    insert into auth.outgoing_mails (sealed, attempts) values (${sealed(mail)}, ${attempts - 1})`)

  queue.deliver(listener)

  await expect.poll(() => troubles.map(([kind]) => kind)).toEqual(['given up'])
})

test('the queue reports the age of its oldest mail and ignores mails that it has given up on', async () => {
  await listen()
  const queue = queueTo('smtp://127.0.0.1:1')
  expect(await queue.waiting()).toEqual({ count: 0, oldestSeconds: 0 })
  await owner.query(sql`
    insert into auth.outgoing_mails (sealed, created_at, next_try_at)
    values (${sealed(mail)}, now() - interval '2 hours', now() + interval '1 hour'),
           (${sealed(mail)}, now() - interval '3 hours', null), (${sealed(mail)}, now(), now())`)

  const { count, oldestSeconds } = await queue.waiting()

  expect(count).toBe(2)
  expect(Math.round(oldestSeconds / 60)).toBe(120)
})

test('the database contains the addresses and links of mails only in encrypted form', async () => {
  await listen()
  const queue = queueTo('smtp://127.0.0.1:1')
  await queue.send(mail)

  const [row] = await owner.query(sql<{ sealed: Uint8Array }>`select sealed from auth.outgoing_mails`)

  const bytes = Buffer.from(row?.sealed ?? [])
  for (const word of ['secreto', 'ana@', 'Confirma']) expect(bytes.includes(word)).toBe(false)
  expect(JSON.parse(seal.open(bytes).toString())).toEqual(mail)
})
