/**
 * Sends mails through the operator's mail server (RFC 5321), or writes them as files to the outbox. The library
 * nodemailer sends the mails and formats the files.
 */
import { isLoopback } from '#http/loopback.ts'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mail } from './mail-page.ts'
import type { Sender } from './sender.ts'

export interface Mailer {
  /**
   * Resolves once the mail is sent or stored. A mail that may be sent twice has an id, which becomes its Message-ID, so
   * that mail clients can drop the duplicate.
   */
  send(mail: Mail, id?: string): Promise<void>
  /** Checks the mail queue in the database immediately, without waiting for the next poll. */
  deliverSoon(): void
  close(): Promise<void>
}

/** Called for each mail that is written to the outbox; `link` is the first link in the mail's text. */
export type OnKept = (link: string | null, to: string) => void

/** Creates the mailer, which calls `onKept` only for mails that it writes to the outbox. */
export function createMailer(options: {
  readonly smtp: { readonly smtpUrl: string; readonly from: Sender } | null
  readonly outboxDirectory: string
  readonly onKept: OnKept
}): Mailer {
  if (options.smtp === null) {
    return outbox({ directory: options.outboxDirectory, from: 'no-reply@localhost', onKept: options.onKept })
  }
  return smtp(options.smtp)
}

const smtpTimeoutMs = 10_000
const smtpConnectionsMax = 2

// nodemailer must not read files or fetch URLs that a mail names.
const textOnly = { disableFileAccess: true, disableUrlAccess: true }

/**
 * Sends mails through the mail server at an `smtp:` or `smtps:` URL. `send` throws when the server does not accept the
 * mail.
 */
function smtp({ smtpUrl, from }: { smtpUrl: string; from: Sender }): Mailer {
  const domain = from.address.split('@').at(-1)
  const host = new URL(smtpUrl).hostname
  const transport = createTransport({
    ...textOnly,
    url: smtpUrl,
    pool: true,
    // Mails contain sign-in links; therefore connections must be encrypted, except to a loopback address. Some systems
    // resolve names below `.localhost` through DNS, and these names may lead to another machine.
    requireTLS: !isLoopback(host) || host.endsWith('.localhost'),
    maxConnections: smtpConnectionsMax,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
  })
  return {
    async send(mail, id) {
      const { text, html } = mail
      await transport.sendMail({
        ...headersOf(from, mail),
        text,
        html,
        ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
      })
    },
    deliverSoon: () => undefined,
    close() {
      transport.close()
      return Promise.resolve()
    },
  }
}

const fileNameRecipientLengthMax = 100

/** Writes each mail to a file named `<time>-<recipient>.eml`, in a folder that is created with the first mail. */
function outbox(options: { directory: string; from: string; onKept: OnKept }): Mailer {
  const { directory, from, onKept } = options
  const transport = createTransport({ ...textOnly, streamTransport: true, buffer: true, newline: 'windows' })
  let lastTime = 0
  return {
    async send(mail) {
      const { to, text, html } = mail
      // Gives mails of the same millisecond different names, and the names sort in the order of the mails.
      lastTime = Math.max(Date.now(), lastTime + 1)
      const date = new Date(lastTime)
      const { message } = await transport.sendMail({
        ...headersOf(from, mail),
        date,
        text: unwrapped('text/plain', text),
        html: unwrapped('text/html', html),
      })
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await writeAtomically(join(directory, fileName(to, date)), message)
      onKept(/^https?:\/\/\S+$/m.exec(text)?.[0] ?? null, to)
    },
    deliverSoon: () => undefined,
    close: () => Promise.resolve(),
  }
}

/**
 * Returns a MIME part whose text is neither encoded nor wrapped, so that the operator finds the link unchanged in the
 * file.
 */
function unwrapped(type: string, content: string): { raw: string } {
  return { raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}` }
}

/** Passes the addresses as objects, so that a comma or a line break in `to` cannot add a recipient or a header. */
function headersOf<From>(from: From, { to, subject, unsubscribe }: Mail) {
  return {
    from,
    to: { name: '', address: to },
    subject,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        // `List-Unsubscribe-Post` lets a mail program send the POST itself (RFC 8058). `prepared` prevents the library
        // from breaking a line inside the URL.
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** Renames the file when it is complete, so that a program that reads the folder never sees an incomplete mail. */
async function writeAtomically(path: string, content: Buffer | NodeJS.ReadableStream): Promise<void> {
  const partial = `${path}.part`
  const file = await open(partial, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
}

function fileName(to: string, date: Date): string {
  const time = date.toISOString().replaceAll(/[-:]/g, '')
  const recipient = to.replaceAll(/[^a-z0-9@._+-]/gi, '_').slice(0, fileNameRecipientLengthMax)
  return `${time}-${recipient}.eml`
}
