/** The settings that only the server reads, in the order of docs/operations.md. */
import { bankRules } from '@finanzas/contract/papers/particulars.ts'
import { poolSizeDefault } from '#database/postgres/postgres.ts'
import { postgresUrl, signingKey, signingSecret, template } from './formats.ts'
import { choice, formatted, text, whole } from './kinds.ts'
import {
  address,
  anything,
  command,
  directory,
  featureNames,
  line,
  mailbox,
  origins,
  proxies,
  sender,
  site,
  visible,
} from './rules.ts'

const servers = 'equal'
const generated = 'generated once and stored in `$DATA_DIR`'
const publicService = 'a public service'
const particular = 'which statements and receipts show ([0074](decisions/0074-papers-that-others-accept.md))'

export const serverSettings = {
  PORT: whole(1, 65_535, 3000, {
    meaning: 'the port on which the server listens; a proxy in front of the server terminates TLS',
  }),
  HOST: text(anything, '127.0.0.1', {
    values: 'an address',
    meaning: 'the address on which the server listens',
    servers: '`0.0.0.0` inside a private network',
  }),
  SITE_URL: text(site, null, {
    values: 'an origin, without a path',
    shownDefault: '`http://localhost:$PORT`',
    meaning:
      'the address that people type: the only origin in mails and redirects, the issuer of tokens, and the host of passkeys. If the host changes, existing passkeys stop working. Remove these passkeys with `reset-factor`; people can then add new passkeys',
    servers,
  }),
  DATA_DIR: text(directory, './data', {
    values: 'a directory',
    meaning:
      'the directory of the embedded database, the secrets, the outbox and the backups; other users of the machine cannot access this directory',
    servers: 'a separate directory for each server',
  }),
  DATABASE_URL: formatted(postgresUrl, {
    values: 'a URL of PostgreSQL',
    meaning:
      'the address of a PostgreSQL database that replaces the embedded engine. The user in the address is the owner (`CREATEROLE`, `BYPASSRLS`, no superuser) or, behind a pooler, the serving login. The address of a Unix socket is `postgres://…@/bank?host=/run/postgresql`; it requires a `scram-sha-256` line for the serving login in `pg_hba.conf`',
    servers,
  }),
  DATABASE_DIRECT_URL: formatted(postgresUrl, {
    values: 'a URL of PostgreSQL',
    shownDefault: '`DATABASE_URL`',
    meaning:
      'the address of the owner’s direct connection to the database, without a pooler. The server uses this connection to run migrations and to listen for database notifications',
    servers,
  }),
  DATABASE_POOL_SIZE: whole(1, 100, poolSizeDefault, {
    meaning: 'number of connections that serve requests',
    servers: 'a higher number if the database has spare cores',
  }),
  DATABASE_ALLOW_SUPERUSER: choice(['false', 'true'], {
    meaning: '`true` lets a superuser prepare the database',
  }),
  JWT_SECRET: formatted(signingSecret, {
    values: 'at least 32 characters',
    shownDefault: generated,
    meaning: 'the signing secret; the two API keys are derived from it',
    servers: '**set it**, equal',
  }),
  JWT_SECRET_PREVIOUS: formatted(signingSecret, {
    values: 'at least 32 characters',
    meaning:
      'during a change of the secret, a second secret, which the server accepts but does not sign with ([keys](es/claves.md))',
    servers,
  }),
  SMTP_URL: text(address('smtp:', 'smtps:'), null, {
    values: 'a URL',
    meaning:
      'the mail server, with an encrypted connection unless it is on loopback. If it is not set, mails are written to files in the outbox',
    servers,
  }),
  MAIL_FROM: text(sender, null, {
    values: 'an address',
    meaning: 'the sender; `SMTP_URL` needs it',
    servers,
  }),
  OPERATOR_EMAIL: text(mailbox, null, {
    values: 'an address',
    meaning:
      'the address that gets a mail at the beginning and at the end of each alarm ([status](es/vigilar.md)); use a mailbox that does not depend on the bank’s own servers',
    servers,
  }),
  ADMIN_EMAIL: text(mailbox, 'admin@finanzas.local', {
    values: 'an address',
    meaning: 'the address of the first administrator; used only at the first start',
    servers,
  }),
  ADMIN_PASSWORD: text(anything, null, {
    values: 'a password',
    shownDefault: 'random',
    meaning: 'the first administrator’s password; used only at the first start',
    servers: 'remove it afterwards',
  }),
  SUPPORT_CONTACT: text(line, null, {
    values: 'one line',
    meaning: 'states how customers reach the bank',
    servers,
  }),
  BANK_TAX_NUMBER: text(bankRules.taxNumber, null, {
    values: 'with its check digit, such as `890903938-8`',
    meaning: `the bank’s tax number, ${particular}`,
    servers,
  }),
  BANK_ADDRESS: text(bankRules.address, null, {
    values: 'one line',
    meaning: `the bank’s address, ${particular}`,
    servers,
  }),
  BANK_PHONE: text(bankRules.phone, null, {
    values: 'a telephone number',
    meaning: `the bank’s telephone, ${particular}`,
    servers,
  }),
  PAPER_CERTIFICATE: text(anything, null, {
    values: 'the path of a PKCS #12 file',
    shownDefault: 'a certificate that the bank issues to itself',
    meaning:
      'the certificate with which the bank signs statements and receipts, its private key, and the certificates of its issuers ([keys](es/claves.md)). The key is RSA with 3,072 or 4,096 bits, or P-256',
    servers: 'the same file',
  }),
  PAPER_CERTIFICATE_PASSWORD: text(visible, null, {
    values: 'a password of letters, digits and signs of ASCII',
    meaning: 'the password of the file `PAPER_CERTIFICATE`',
    servers,
  }),
  INVITATIONS_PER_HOUR: whole(1, 10_000, 200, {
    meaning:
      'the invitations by mail that all servers together send in an hour to customers of a file ([0075](decisions/0075-customers-come-in-a-file.md))',
    servers,
  }),
  FEATURES: text(featureNames, null, {
    values: 'names, separated by commas',
    meaning:
      'features that the bank enables. `transferencias` lets customers transfer money to each other and to accounts at other banks. `notificaciones` lets customers choose events that the bank reports in their profile and by mail ([0069](decisions/0069-customers-choose-their-notices.md)). The database refuses all calls of a disabled feature. Before you remove a feature, end its open requests. Otherwise, these requests cannot be decided, cancelled or carried out until the feature is enabled again, and their amounts stay reserved',
    servers,
  }),
  AVATAR_URL: formatted(template('{initials}'), {
    values: 'a URL with `{initials}`, or empty',
    shownDefault: publicService,
    meaning: 'the service of the avatars; if the value is empty, the page sends no request to a service',
    servers,
  }),
  CHART_URL: formatted(template('{symbol}'), {
    values: 'a URL with `{symbol}`, or empty',
    shownDefault: publicService,
    meaning: 'the service of the chart; if the value is empty, the page sends no request to a service',
    servers,
  }),
  CORS_ORIGINS: text(origins, null, {
    values: 'origins, separated by commas',
    meaning: 'further origins whose pages are allowed to call the server; an origin must match exactly',
    servers,
  }),
  PASSWORD_MIN_LENGTH: whole(8, 128, 8, {
    meaning: 'the smallest number of characters of a password',
    servers,
  }),
  TRUST_PROXY: text(proxies, null, {
    values: 'addresses and networks (`10.0.0.0/8`, `loopback`), separated by commas',
    meaning:
      'the proxies whose `X-Forwarded-*` headers the server trusts. If this is unset, all limits count the proxy’s address',
    servers: 'the proxy',
  }),
  DRAIN_SECONDS: whole(0, 300, 0, {
    meaning: 'how long `/ready` answers 503 after SIGTERM before the server closes',
    servers: 'longer than the proxy needs to detect the 503',
  }),
  BACKUP_INTERVAL_MINUTES: whole(0, 10_080, null, {
    shownDefault: '`60`; unset with `DATABASE_URL`',
    meaning:
      'how often a backup is made into `$DATA_DIR/backups`; `0` disables these backups. If no server of a bank on PostgreSQL sets it, no backups are made, and after a day without a backup an alarm says so',
    servers: '**set it** on one server',
  }),
  BACKUP_KEEP: whole(1, 10_000, 24, { meaning: 'how many of the newest backups are kept' }),
  BACKUP_KEEP_DAYS: whole(0, 10_000, 7, {
    meaning: 'for how many days the last backup of each day is kept',
  }),
  BACKUP_SIGNING_KEY: formatted(signingKey, {
    values: 'a private Ed25519 key in PEM format',
    shownDefault: generated,
    meaning: 'the key that signs backups',
    servers,
  }),
  METRICS_PORT: whole(0, 65_535, 0, {
    meaning: 'the port on which Prometheus reads the metrics; `0` disables the metrics',
    servers: '`9464`',
  }),
  METRICS_HOST: text(anything, '127.0.0.1', {
    values: 'an address',
    meaning: 'the address on which Prometheus reads the metrics',
    servers: 'the internal network',
  }),
  OPERATOR_COMMAND: text(command, null, {
    values: 'one line with `NAME`',
    meaning:
      'the form in which messages show operators’ commands; `NAME` stands for the name of the command. `finanzas.service` and `compose.yaml` set it',
  }),
  LOG_LEVEL: choice(['info', 'debug', 'warn', 'error', 'silent'], {
    meaning: 'the log consists of JSON lines or, at a terminal, of sentences in Spanish',
  }),
  BACKGROUND_WORK: choice(['on', 'off'], {
    meaning:
      'with `off`, the server sends no mails, makes no backups, posts no batches, and does no work that is due. It still verifies the ledger. Use it to read a restored copy beside the running bank ([copies](es/respaldos.md#mirar-una-copia-al-lado))',
    servers: 'only for a copy',
  }),
  AUTH_AUTOCONFIRM: choice(['false', 'true'], {
    meaning:
      'only for tests: `true` is refused unless `HOST` and `SITE_URL` are loopback and `TRUST_PROXY` is unset',
    servers: 'never',
  }),
}
