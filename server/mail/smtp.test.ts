import { once } from 'node:events'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMailer } from './mailer.ts'

/** A mail server that accepts everything and records it line by line. */
let server: Server
let heard: string[] = []
let mayBeSentTo = (_address: string) => true

beforeEach(async () => {
  heard = []
  mayBeSentTo = () => true
  server = createServer((socket) => {
    let isData = false
    let rest = ''
    socket.write('220 mail.example ESMTP\r\n')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        heard.push(line)
        if (isData && line !== '.') continue
        isData = line === 'DATA'
        if (line === 'STARTTLS') socket.write('502 not here\r\n')
        else if (line.startsWith('RCPT') && !mayBeSentTo(line)) socket.write('550 no such mailbox\r\n')
        else socket.write(isData ? '354 go on\r\n' : '250 ok\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => server.close())

function mailer(from: string, host = '127.0.0.1') {
  const { port } = server.address() as AddressInfo
  const unused = { outboxDirectory: '', onKept: () => undefined }
  return createMailer({ smtp: { smtpUrl: `smtp://${host}:${port}`, from }, brandName: 'Banco', ...unused })
}

const mail = { to: 'ana@banco.example', subject: 'Confirma tu cuenta', text: 'Hola', html: '<p>Hola</p>' }

test('a mail goes to the mail server, from the address that the operator set, in the bank’s name', async () => {
  const smtp = mailer('no-reply@banco.example')
  await smtp.send(mail)
  await smtp.close()

  expect(heard).toContain('MAIL FROM:<no-reply@banco.example>')
  expect(heard).toContain('RCPT TO:<ana@banco.example>')
  expect(heard).toContain('From: Banco <no-reply@banco.example>')
  expect(heard).toContain('Subject: Confirma tu cuenta')
})

test('the operator’s own name for the sender stays', async () => {
  const smtp = mailer('Avisos <no-reply@banco.example>')
  await smtp.send(mail)
  await smtp.close()

  expect(heard).toContain('From: Avisos <no-reply@banco.example>')
})

test.each(['ana@banco.example, otra@otro.example', 'ana@banco.example\r\nRCPT TO:<otra@otro.example>'])(
  'an address such as %j adds no recipient',
  async (to) => {
    const smtp = mailer('no-reply@banco.example')
    await smtp.send({ ...mail, to }).catch(() => undefined)
    await smtp.close()

    expect(heard.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(1)
    expect(heard).not.toContain('RCPT TO:<otra@otro.example>')
  },
)

test('a mail that the server does not take is an error', async () => {
  mayBeSentTo = () => false
  const smtp = mailer('no-reply@banco.example')

  await expect(smtp.send(mail)).rejects.toThrow('550')
  await smtp.close()
})

test('a mail server elsewhere that offers no encryption is told nothing', async () => {
  // The same server by a name that is not loopback's: the system leads it there all the same.
  const smtp = mailer('no-reply@banco.example', '0.0.0.0')

  await expect(smtp.send(mail)).rejects.toThrow()
  await smtp.close()

  expect(heard.join('\n')).not.toContain('ana@banco.example')
})
