/** A mail server of a test's own, which keeps what it takes and may refuse a recipient. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export type MailServer = {
  /** For `SMTP_URL`. */
  url: string
  /** The texts of all mails to an address, oldest first. */
  mailsTo: (address: string) => string[]
}

/** Starts it; the test's end ends it too. `refusal` answers the SMTP status for a recipient, or `null` to take the mail. */
export async function startMailServer(refusal: (address: string) => number | null): Promise<MailServer> {
  const taken: { to: string; text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = refusal(address)
      done(responseCode === null ? null : Object.assign(new Error('No.'), { responseCode }))
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [recipient] = envelope.rcptTo
        taken.push({ to: recipient?.address ?? '', text: plain(Buffer.concat(chunks).toString()) })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = listening.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mailsTo: (address) => taken.filter(({ to }) => to === address).map(({ text: mail }) => mail),
  }
}

/** As it was written, where it travels as quoted-printable (RFC 2045, 6.7); of other letters than ASCII what is left. */
function plain(mail: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(mail)) return mail
  return mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_sign, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
}
