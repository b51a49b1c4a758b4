import { expect, test } from 'vitest'
import { formatMessage } from './message.ts'

const sent = { from: 'no-reply@localhost', date: new Date('2026-11-21T10:00:00Z') }
const mail = {
  to: 'ana@banco.example',
  subject: 'Confirma',
  text: 'Hola:\n\nhttps://x\n',
  html: '<p>ñ</p>',
}

test('a message has two 8bit parts and CRLF at the end of every line', () => {
  const message = formatMessage(mail, sent)

  expect(message.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(message).toContain('Date: Sat, 21 Nov 2026 10:00:00 +0000\r\n')
  expect(message.match(/Content-Transfer-Encoding: 8bit/g)).toHaveLength(2)
  expect(message).toContain('\r\n\r\nHola:\r\n\r\nhttps://x\r\n')
  expect(message).toContain('<p>ñ</p>')
})

test('nobody begins another header in a subject or an address', () => {
  const message = formatMessage(
    { ...mail, to: 'a@b.co\r\nBcc: c@d.co', subject: 'Hola\r\nBcc: c@d.co\r\n\r\ntexto' },
    sent,
  )

  const [headers = ''] = message.split('\r\n\r\n')
  expect(headers).not.toMatch(/^Bcc/m)
})

test('a long subject with accents is written as encoded words that fit and read as it was', () => {
  const subject = 'Restablece tu contraseña de Banco Ñandú — '.repeat(4).trim()

  const message = formatMessage({ ...mail, subject }, sent)

  const folded = /^Subject: ((?:.*\r\n )*.*)\r\n/m.exec(message)?.[1] ?? ''
  const words = folded.split('\r\n ')
  expect(words.every((word) => word.length <= 75)).toBe(true)
  const decoded = words.map((word) => /^=\?utf-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? '')
  expect(decoded.map((word) => Buffer.from(word, 'base64').toString()).join('')).toBe(subject)
})
