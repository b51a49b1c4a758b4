import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { confirmationMail } from './templates.ts'
import { createMailer } from './mailer.ts'

const empty = { to: 'ana@banco.example', subject: 's', text: '', html: '' }

describe('the outbox', () => {
  let folder = ''
  let told: [link: string | null, to: string][] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'finanzas-outbox-'))
    told = []
  })
  afterEach(() => rm(folder, { recursive: true }))

  const mailer = () =>
    createMailer({
      smtp: null,
      outboxDirectory: join(folder, 'outbox'),
      onKept: (link, to) => told.push([link, to]),
    })
  const files = async () => (await readdir(join(folder, 'outbox'))).sort()
  const textOf = (file = '') => readFile(join(folder, 'outbox', file), 'utf8')

  const link = `https://banco.example/auth/v1/verify?token=${'A'.repeat(43)}&type=signup&redirect_to=https%3A%2F%2Fbanco.example%2F`

  test('keeps a mail in one private file and prints its link', async () => {
    await mailer().send(confirmationMail({ to: 'ana@banco.example', link, brandName: 'Banco' }))

    const [file = '', ...others] = await files()
    expect(others).toEqual([])
    expect(file).toMatch(/^\d{8}T\d{6}\.\d{3}Z-ana@banco\.example\.eml$/)
    expect((await stat(join(folder, 'outbox', file))).mode & 0o777).toBe(0o600)
    expect((await textOf(file)).split('\r\n')).toContain(link)
    expect(told).toEqual([[link, 'ana@banco.example']])
  })

  test('names in the headers the URL that stops this kind of mail', async () => {
    const unsubscribe = `https://banco.example/auth/v1/stop_notices?token=${'a'.repeat(101)}`
    await mailer().send({ ...empty, unsubscribe })
    await mailer().send(empty)

    const [withUrl, without] = await Promise.all((await files()).map(textOf))
    expect(withUrl?.split('\r\n')).toEqual(
      expect.arrayContaining([
        `List-Unsubscribe: <${unsubscribe}>`,
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      ]),
    )
    expect(without).not.toContain('List-Unsubscribe')
  })

  test('names files in the order of their mails, even within a millisecond', async () => {
    const outbox = mailer()
    const subjects = Array.from({ length: 20 }, (_, index) => `Correo ${index}`)

    await Promise.all(subjects.map((subject) => outbox.send({ ...empty, subject })))

    const texts = await Promise.all((await files()).map(textOf))
    expect(texts.map((text) => /^Subject: (.*)\r$/m.exec(text)?.[1])).toEqual(subjects)
  })

  test('does not write outside its folder if the recipient’s address looks like a path', async () => {
    await mailer().send({ ...empty, to: '../../etc/passwd' })

    expect((await files())[0]).toMatch(/Z-\.\._\.\._etc_passwd\.eml$/)
  })

  test('writes two unwrapped 8bit parts with CRLF line ends', async () => {
    await mailer().send({ ...empty, text: `Hola ñ:\n\n${link}\n`, html: '<p>ñ</p>' })
    const message = await textOf((await files())[0])

    expect(message.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(message.match(/Content-Transfer-Encoding: 8bit/g)).toHaveLength(2)
    expect(message).toContain(`\r\n\r\nHola ñ:\r\n\r\n${link}\r\n`)
    expect(message).toContain('<p>ñ</p>')
  })
})

describe('the mail server', () => {
  let server: SMTPServer
  /** Recipient addresses from the SMTP envelope. */
  let heard: string[] = []
  let messages: string[] = []
  beforeEach(async () => {
    heard = []
    messages = []
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onMailFrom: ({ address }, _session, done) => done(void heard.push(`from ${address}`)),
      onRcptTo: ({ address }, _session, done) => done(void heard.push(`to ${address}`)),
      onData(stream, _session, done) {
        let message = ''
        stream.on('data', (chunk: Buffer) => (message += chunk.toString()))
        stream.on('end', () => done(void messages.push(message)))
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => new Promise<void>((resolve) => server.close(resolve)))

  /** Sends one mail and closes the connection. */
  async function send({ host = '127.0.0.1', ...fields }: { host?: string; to?: string; subject?: string }) {
    const { port } = server.server.address() as AddressInfo
    const unused = { outboxDirectory: '', onKept: () => undefined }
    const from = { name: 'Banco', address: 'no-reply@banco.example' }
    const mailer = createMailer({ smtp: { smtpUrl: `smtp://${host}:${port}`, from }, ...unused })
    try {
      await mailer.send({ ...empty, ...fields })
    } finally {
      await mailer.close()
    }
  }

  test('gets each mail with the sender’s name', async () => {
    await send({})

    expect(heard).toEqual(['from no-reply@banco.example', 'to ana@banco.example'])
    expect(messages[0]).toContain(`From: Banco <no-reply@banco.example>\r\n`)
  })

  test.each(['ana@banco.example, otra@otro.example', 'ana@banco.example\r\nRCPT TO:<otra@otro.example>'])(
    'does not get an additional recipient from the address %j',
    async (to) => {
      await send({ to }).catch(() => undefined)

      expect(heard.filter((line) => line.startsWith('to ')).length).toBeLessThanOrEqual(1)
      expect(heard).not.toContain('to otra@otro.example')
    },
  )

  const breaks = [...'\n\r\u0085\u2028\u2029\v\f\u0000', '\r\n', '\r\n\t', '%0d%0a', '=?utf-8?B?DQo=?=']

  test.each(breaks.flatMap((end) => [`Hola${end}Bcc: otra@banco.example`, `Hola${end}${end}<script>`]))(
    'gets neither a header nor a recipient from the subject %j (security.md IN-07)',
    async (subject) => {
      await send({ subject })

      expect(heard.slice(1)).toEqual(['to ana@banco.example'])
      const [head = ''] = (messages[0] ?? '').split('\r\n\r\n')
      const names = head
        .replaceAll(/\r\n[ \t]+/g, ' ')
        .split('\r\n')
        .map((line) => line.split(':', 1)[0] ?? '')
      expect(names.toSorted().join(' ')).toBe(
        'Auto-Submitted Content-Type Date From MIME-Version Message-ID Subject To',
      )
    },
  )

  test('does not get mails without encryption if it is on another machine', async () => {
    // The same server under a name that is not a loopback name but that the system still resolves to this machine.
    await expect(send({ host: '0.0.0.0' })).rejects.toThrow()

    expect(heard).toEqual([])
  })
})
