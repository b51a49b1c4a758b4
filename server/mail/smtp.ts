/** Mail through the operator's mail server (RFC 5321); nodemailer speaks to it. */
import { createTransport } from 'nodemailer'
import { isLoopback } from '#http/loopback.ts'
import type { Mailer } from './mailer.ts'

/** A mail server that does not answer is given up after this long, so that nothing piles up. */
const waitMs = 10_000
const connectionsMax = 2

/** Sends through the server at `url` (`smtp:` or `smtps:`). `send` throws when the server does not take the mail. */
export function smtp({
  url,
  from,
}: {
  url: string
  from: string | { name: string; address: string }
}): Mailer {
  const domain = (typeof from === 'string' ? from : from.address).split('@').at(-1)?.replace(/>.*$/, '')
  const transport = createTransport({
    url,
    pool: true,
    // Mails hold links that sign in: an `smtp:` server that offers no encryption is told none of them.
    requireTLS: !isLoopback(new URL(url).hostname),
    maxConnections: connectionsMax,
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    // A mail is text: it may not name files or addresses to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html }, id) {
      await transport.sendMail({
        from,
        to,
        subject,
        text,
        html,
        ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close() {
      transport.close()
      return Promise.resolve()
    },
  }
}
