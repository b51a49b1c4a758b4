/** Which way mail goes: through the operator's mail server where there is one, into the outbox otherwise. */
import type { Mailer } from './mailer.ts'
import { type OnKept, outbox } from './outbox.ts'
import { smtp } from './smtp.ts'

/** The mailer that the configuration asks for. `onKept` is told of mails in the outbox only. */
export function createMailer(options: {
  readonly smtp: { readonly smtpUrl: string; readonly from: string } | null
  readonly outboxDirectory: string
  readonly brandName: string
  readonly onKept: OnKept
}): Mailer {
  if (options.smtp === null) {
    return outbox({ directory: options.outboxDirectory, from: 'no-reply@localhost', onKept: options.onKept })
  }
  const { smtpUrl, from } = options.smtp
  // MAIL_FROM may name the sender itself: `Banco <no-reply@banco.example>`.
  const sender = from.includes('<') ? from : { name: options.brandName, address: from }
  return smtp({ url: smtpUrl, from: sender })
}
