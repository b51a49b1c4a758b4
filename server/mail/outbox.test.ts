import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { confirmationMail } from './templates.ts'
import { createMailer } from './mailer.ts'

let folder = ''
let told: [link: string | null, to: string][] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'finanzas-outbox-'))
  told = []
})
afterEach(() => rm(folder, { recursive: true }))

function mailer() {
  return createMailer({
    smtp: null,
    outboxDirectory: join(folder, 'outbox'),
    brandName: 'Banco',
    onKept: (link, to) => told.push([link, to]),
  })
}

const link = `https://banco.example/auth/v1/verify?token=${'A'.repeat(43)}&type=signup&redirect_to=https%3A%2F%2Fbanco.example%2F`

test('a mail becomes one file that its owner alone may read, and the link is told', async () => {
  await mailer().send(confirmationMail({ to: 'ana@banco.example', link, brandName: 'Banco' }))

  const [file = '', ...others] = await readdir(join(folder, 'outbox'))
  expect(others).toEqual([])
  expect(file).toMatch(/^\d{8}T\d{6}\.\d{3}Z-ana@banco\.example\.eml$/)
  expect((await stat(join(folder, 'outbox', file))).mode & 0o777).toBe(0o600)
  expect((await readFile(join(folder, 'outbox', file), 'utf8')).split('\r\n')).toContain(link)
  expect(told).toEqual([[link, 'ana@banco.example']])
})

test('mails of one moment keep their order', async () => {
  const outbox = mailer()
  const subjects = Array.from({ length: 20 }, (_, index) => `Correo ${index}`)

  await Promise.all(
    subjects.map((subject) => outbox.send({ to: 'ana@banco.example', subject, text: '', html: '' })),
  )

  const files = (await readdir(join(folder, 'outbox'))).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, 'outbox', file), 'utf8')))
  expect(texts.map((text) => /^Subject: (.*)\r$/m.exec(text)?.[1])).toEqual(subjects)
})

test('an address does not lead out of the folder', async () => {
  await mailer().send({ to: '../../etc/passwd', subject: 's', text: '', html: '' })

  const [file = ''] = await readdir(join(folder, 'outbox'))
  expect(file).toMatch(/Z-\.\._\.\._etc_passwd\.eml$/)
})

/** The one file that the mail became. */
async function written(mail: { to?: string; subject?: string; text?: string; html?: string }) {
  await mailer().send({ to: 'ana@banco.example', subject: 's', text: '', html: '', ...mail })
  const [file = ''] = await readdir(join(folder, 'outbox'))
  return readFile(join(folder, 'outbox', file), 'utf8')
}

test('a message has two 8bit parts, unwrapped, and CRLF at the end of every line', async () => {
  const message = await written({ text: `Hola ñ:\n\n${link}\n`, html: '<p>ñ</p>' })

  expect(message.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(message.match(/Content-Transfer-Encoding: 8bit/g)).toHaveLength(2)
  expect(message).toContain(`\r\n\r\nHola ñ:\r\n\r\n${link}\r\n`)
  expect(message).toContain('<p>ñ</p>')
})

test('neither a subject nor an address begins another header', async () => {
  const message = await written({
    to: 'a@b.co\r\nBcc: c@d.co',
    subject: 'Hola\r\nBcc: c@d.co\r\n\r\ntexto',
  })

  const [headers = ''] = message.split('\r\n\r\n')
  expect(headers).toContain('To: ')
  expect(headers).not.toMatch(/^(?:Bcc|texto)/im)
})
