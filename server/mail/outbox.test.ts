import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { confirmationMail } from './confirmation-mail.ts'
import { createMailer } from './create-mailer.ts'

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
