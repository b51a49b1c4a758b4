/**
 * Opens the mailer for a command that runs without a server. The command's mails wait until the server starts again, or
 * are written to the outbox as files.
 */
import { join } from 'node:path'
import { asCalledHere } from '#settings/called-here.ts'
import type { Config } from '#settings/config.ts'
import { AnotherSecret, askAsService, readDataKey } from '#database/data-key.ts'
import type { Database } from '#database/database.ts'
import { noticeMail } from '#mail/notice-mail.ts'
import { MailQueue } from '#mail/mail-queue.ts'
import { type Mailer, createMailer } from '#mail/mailer.ts'
import { readSecrets } from '#bank/secrets.ts'
import { type Keys, deriveKeys } from '#tokens/keys.ts'
import { CommandRefused, requireSecret } from './command.ts'

/** Opens the mailer. Throws `CommandRefused` if the bank's secret is not available to encrypt the mails. */
export async function openMailer(config: Config, database: Database): Promise<Mailer> {
  const transport = createMailer({
    smtp: config.mail,
    outboxDirectory: join(config.dataDir, 'outbox'),
    onKept: () => undefined,
  })
  if (config.mail === null) return transport
  const keys = await openKeys(config, database)
  return new MailQueue({
    database,
    seal: keys.mails,
    transport,
    mailOf: (notice) => noticeMail({ ...config, keys, asCalledHere }, notice),
  })
}

/** Opens the bank's keys. Throws `CommandRefused` if the bank uses a different secret. */
export async function openKeys(config: Config, database: Database): Promise<Keys> {
  requireSecret(config)
  const dataKey = await readDataKey(askAsService(database), await readSecrets(config))
  if (dataKey === null) throw new CommandRefused(new AnotherSecret().message)
  return deriveKeys(dataKey)
}
