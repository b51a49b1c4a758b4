/** Sending mail: through the operator's mail server (RFC 5321), or as files in the outbox. nodemailer writes both. */
import { isLoopback } from '#http/loopback.ts'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mail } from './mail-page.ts'
import type { Sender } from './sender.ts'

export interface Mailer {
  /**
   * Resolves once the mail is sent or safely kept. A mail that may be sent twice has an id, which becomes its
   * Message-ID, so that mail programs drop the duplicate.
   */
  send(mail: Mail, id?: string): Promise<void>
  /** Looks for mails that the database has put into the queue itself, which are found without it some seconds later. */
  deliverSoon(): void
  close(): Promise<void>
}

/** Called for each mail in the outbox; `link` is the first one of its text. */
export type OnKept = (link: string | null, to: string) => void

/** `onKept` is called for mails in the outbox only. */
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

// A mail is text: it may not name files or addresses to be fetched.
const textOnly = { disableFileAccess: true, disableUrlAccess: true }

/** `smtpUrl` is `smtp:` or `smtps:`. `send` throws when the server does not take the mail. */
function smtp({ smtpUrl, from }: { smtpUrl: string; from: Sender }): Mailer {
  const domain = from.address.split('@').at(-1)
  const host = new URL(smtpUrl).hostname
  const transport = createTransport({
    ...textOnly,
    url: smtpUrl,
    pool: true,
    // Mails hold links that sign in: an `smtp:` server that offers no encryption gets none of them.
    // A name below `.localhost` may lead elsewhere: it is resolved by DNS on some machines.
    requireTLS: !isLoopback(host) || host.endsWith('.localhost'),
    maxConnections: smtpConnectionsMax,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
  })
  return {
    async send({ to, subject, text, html }, id) {
      await transport.sendMail({
        ...headersOf({ from, to, subject }),
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

/** One file for each mail, `<time>-<recipient>.eml`, in a folder that is made at the first one. */
function outbox(options: { directory: string; from: string; onKept: OnKept }): Mailer {
  const { directory, from, onKept } = options
  const transport = createTransport({ ...textOnly, streamTransport: true, buffer: true, newline: 'windows' })
  let lastTime = 0
  return {
    async send({ to, subject, text, html }) {
      // Two mails of one moment get two names, in their order.
      lastTime = Math.max(Date.now(), lastTime + 1)
      const date = new Date(lastTime)
      const { message } = await transport.sendMail({
        ...headersOf({ from, to, subject }),
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

/** A part that is neither encoded nor wrapped: the operator finds its link in the file exactly as it is. */
function unwrapped(type: string, content: string): { raw: string } {
  return { raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}` }
}

/** As an address object, so that a comma or a line break in `to` adds no recipient and no header. */
function headersOf<From>({ from, to, subject }: { from: From; to: string; subject: string }) {
  return {
    from,
    to: { name: '', address: to },
    subject,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Renames the file when it is whole: a reader of the folder never sees half a mail. */
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
