/**
 * The configuration of a server, which is read from the table of settings. In the server, only this file, called-here.ts
 * and hosted-page.ts read environment variables.
 */
import { resolve } from 'node:path'
import { passwordLengthMax } from '@finanzas/contract/limits.ts'
import { bankParticulars } from '@finanzas/contract/papers/particulars.ts'
import { isLoopback } from '#http/loopback.ts'
import { isCommonPassword } from '#people/password/blocklist.ts'
import { readEmail } from '#people/email.ts'
import { readSender } from '#mail/sender.ts'
import { ConfigError, type Environment, listOf, withoutSlash } from './rules.ts'
import { type Values, bankSettings, enabledFeatures, readSettings } from './settings.ts'

export type Config = Readonly<ReturnType<typeof readConfig>>

const avatarService =
  'https://ui-avatars.com/api/?name={initials}&length=2&size=160&background=234485&color=ffffff&bold=true&format=svg'
// The chart service reads its settings as JSON from the URL's fragment, which browsers do not send to a server.
const chartSettings = {
  autosize: true,
  symbol: '{symbol}',
  interval: 'D',
  timezone: 'America/Bogota',
  theme: 'dark',
  style: '1',
  locale: 'es',
}
const chartService =
  'https://www.tradingview-widget.com/embed-widget/advanced-chart/?locale=es#' +
  encodeURIComponent(JSON.stringify(chartSettings)).replace(encodeURIComponent('{symbol}'), '{symbol}')

/** Reads the configuration. Throws `ConfigError` for the first variable that is invalid. */
export function readConfig(env: Environment) {
  const given = readSettings(env)
  const config = {
    ...network(given),
    ...storage(given),
    ...people(given),
    ...bank(given),
    rateLimits: given.AUTH_RATE_LIMITS === 'on',
    bankSettings: bankSettings(given),
    /**
     * False for a copy of a bank that a person only reads. Its server sends no mails, makes no backups, and does no work
     * that is due: the bank itself does all of this.
     */
    hasBackgroundWork: given.BACKGROUND_WORK === 'on',
    operatorCommand: given.OPERATOR_COMMAND,
    logLevel: given.LOG_LEVEL,
  }
  refuseTestsInPublic(config)
  return config
}

function network(given: Values) {
  const { PORT: port, METRICS_PORT: metricsPort, SITE_URL: siteUrl } = given
  if (metricsPort === port)
    throw new ConfigError('METRICS_PORT debe ser distinto de PORT: en el puerto público no hay métricas.')
  return {
    port,
    host: given.HOST,
    /**
     * Period before closing. During this period, the server answers 503 at `/ready`, so that a proxy stops sending
     * requests to this server.
     */
    drainSeconds: given.DRAIN_SECONDS,
    /** Host and port at which Prometheus reads the metrics; `null` if the metrics are not served. */
    metrics: metricsPort === 0 ? null : { host: given.METRICS_HOST, port: metricsPort },
    /** Without a trailing slash. Links in mails and redirects may lead only to this origin. */
    siteUrl: withoutSlash(siteUrl ?? `http://localhost:${port}`),
    /** True if `SITE_URL` is not set; loopback names with this port are then accepted as origins. */
    isDefaultSite: siteUrl === null,
    corsOrigins: listOf(given.CORS_ORIGINS),
    /** Addresses of the proxies whose `X-Forwarded-*` headers are trusted. */
    trustProxy: listOf(given.TRUST_PROXY),
  }
}

function storage(given: Values) {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = given
  return {
    /** Absolute path. */
    dataDir: resolve(given.DATA_DIR),
    /** Settings of the PostgreSQL database; `null` selects the embedded engine. */
    database:
      url === null
        ? null
        : {
            url,
            directUrl,
            /** URL with which the database owner connects. This URL bypasses a connection pooler. */
            ownerUrl: directUrl ?? url,
            /** Number of connections that serve requests. */
            poolSize: given.DATABASE_POOL_SIZE,
            allowSuperuser: given.DATABASE_ALLOW_SUPERUSER === 'true',
          },
    backup: {
      /**
       * Interval between scheduled backups; 0 disables them. `null` disables them too: the operator of a bank on
       * PostgreSQL has not decided who makes the backups.
       */
      intervalMinutes: given.BACKUP_INTERVAL_MINUTES ?? (url === null ? 60 : null),
      keep: { newest: given.BACKUP_KEEP, days: given.BACKUP_KEEP_DAYS },
      /** Key that signs backups; `null` selects the key in `$DATA_DIR`. */
      signingKey: given.BACKUP_SIGNING_KEY,
    },
    secrets: {
      jwtSecret: given.JWT_SECRET,
      /**
       * Tokens that were signed with this secret stay valid during a rotation of the signing key. New tokens are not
       * signed with this secret.
       */
      previousSecret: given.JWT_SECRET_PREVIOUS,
    },
  }
}

function people(given: Values) {
  const { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom } = given
  if (smtpUrl !== null && mailFrom === null)
    throw new ConfigError('SMTP_URL necesita MAIL_FROM: la dirección de la que salen los correos.')
  const email = readEmail(given.ADMIN_EMAIL)
  if (email === null) throw new ConfigError('ADMIN_EMAIL debe ser una dirección de correo.')
  const from = mailFrom === null ? null : readSender(mailFrom, given.BRAND_NAME)
  return {
    mail: from === null || smtpUrl === null ? null : { smtpUrl, from },
    /** Address of the operator, who gets a mail about each alarm; `null` for no mails. */
    operatorEmail: readEmail(given.OPERATOR_EMAIL),
    administrator: { email, password: firstPassword(given, email) },
    passwordLengthMin: given.PASSWORD_MIN_LENGTH,
    autoconfirm: given.AUTH_AUTOCONFIRM === 'true',
    /** Maximum number of invitations per hour to customers whose accounts were opened from a file. */
    invitationsPerHour: given.INVITATIONS_PER_HOUR,
  }
}

function bank(given: Values) {
  return {
    brandName: given.BRAND_NAME,
    /** The bank's contact details for mails; empty if the operator has not set any. */
    supportContact: (given.SUPPORT_CONTACT ?? '').trim(),
    /** The bank's tax number, address, telephone and website, which its statements and receipts state. */
    bankParticulars: bankParticulars({
      taxNumber: given.BANK_TAX_NUMBER,
      address: given.BANK_ADDRESS,
      phone: given.BANK_PHONE,
      site: given.SITE_URL === null ? null : withoutSlash(given.SITE_URL),
    }),
    /** The file of the certificate that signs papers; `null` if the bank issues the certificate to itself. */
    paperCertificate:
      given.PAPER_CERTIFICATE === null
        ? null
        : { path: resolve(given.PAPER_CERTIFICATE), password: given.PAPER_CERTIFICATE_PASSWORD ?? '' },
    displayCurrency: given.DISPLAY_CURRENCY,
    /** URL templates of the two third-party services; an empty template disables the service. */
    avatarUrl: given.AVATAR_URL ?? avatarService,
    chartUrl: given.CHART_URL ?? chartService,
    features: enabledFeatures(given),
  }
}

function refuseTestsInPublic(
  config: ReturnType<typeof network> & { readonly autoconfirm: boolean; readonly rateLimits: boolean },
): void {
  const { host, siteUrl, trustProxy, autoconfirm, rateLimits } = config
  const isLocal = isLoopback(host) && isLoopback(new URL(siteUrl).hostname) && trustProxy.length === 0
  if ((autoconfirm || !rateLimits) && !isLocal) {
    throw new ConfigError(
      'AUTH_AUTOCONFIRM=true y AUTH_RATE_LIMITS=off son para pruebas: HOST y SITE_URL deben ser direcciones de loopback ' +
        '(127.0.0.1, localhost), y TRUST_PROXY debe estar vacío.',
    )
  }
}

/** Reads the first administrator's password, which must meet the same rules as all other passwords. */
function firstPassword(given: Values, email: string): string | null {
  const { ADMIN_PASSWORD: password, PASSWORD_MIN_LENGTH: lengthMin, BRAND_NAME: brandName } = given
  if (password === null) return null
  const { length } = [...password]
  if (length < lengthMin || length > passwordLengthMax) {
    throw new ConfigError(`ADMIN_PASSWORD debe tener de ${lengthMin} a ${passwordLengthMax} caracteres.`)
  }
  if (isCommonPassword(password, { brandName, email })) {
    throw new ConfigError(
      'ADMIN_PASSWORD es de las que se prueban primero. Elige otra, o quita la variable: el primer inicio inventa una y la muestra.',
    )
  }
  return password
}
