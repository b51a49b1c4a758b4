/**
 * All environment variables and their defaults. In the server, only this file, called-here.ts and hosted-page.ts read
 * environment variables. docs/operations.md lists the variables too, and tools/deploy.test.ts compares the two lists.
 */
import { resolve } from 'node:path'
import { type Feature, features } from '@finanzas/contract/wire/features.ts'
import { passwordLengthMax } from '@finanzas/contract/limits.ts'
import { bankParticulars, bankRules } from '@finanzas/contract/papers/particulars.ts'
import { isLoopback } from '#http/loopback.ts'
import { poolSizeDefault } from '#database/postgres/postgres.ts'
import { isCommonPassword } from '#identity/password/blocklist.ts'
import { readEmail } from '#identity/email.ts'
import { readSender } from '#mail/sender.ts'
import { postgresUrl, signingKey, signingSecret, template } from './formats.ts'
import {
  ConfigError,
  type Environment,
  address,
  clearingAccount,
  directory,
  featureNames,
  integer,
  line,
  listOf,
  mailbox,
  number,
  oneOf,
  origins,
  proxies,
  sender,
  setting,
  site,
  withoutSlash,
} from './rules.ts'

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

/**
 * Default of `STAFF_PROOF_ABOVE`. The default exceeds nearly every monthly wage. The payment of a whole payroll
 * therefore requires the password or a mailed code, but the payment of one wage does not.
 */
const proofAboveDefaults = { USD: 2_500, COP: 10_000_000 } as const

/** Defaults of the limits for transfers, in units of the currency. */
const transferDefaults = {
  USD: { automaticMax: 125, transferMax: 1_250, dayMax: 2_500 },
  COP: { automaticMax: 500_000, transferMax: 5_000_000, dayMax: 10_000_000 },
} as const

/** The largest whole amount of money, in units of the currency. */
const amountMax = 999_999_999_999

/**
 * Reads the configuration. Throws `ConfigError` for the first variable that is invalid. The function must read every
 * variable on every call, because misspelled-settings.ts collects the names of the variables that this function reads.
 */
export function readConfig(env: Environment) {
  const port = number(env, 'PORT', integer(1, 65_535)) ?? 3000
  const host = setting(env, 'HOST') ?? '127.0.0.1'
  const metricsPort = number(env, 'METRICS_PORT', integer(0, 65_535)) ?? 0
  const metricsHost = setting(env, 'METRICS_HOST') ?? '127.0.0.1'
  if (metricsPort === port)
    throw new ConfigError('METRICS_PORT debe ser distinto de PORT: en el puerto público no hay métricas.')
  const siteUrl = setting(env, 'SITE_URL', site)
  const database = databaseSettings(env)
  const smtpUrl = setting(env, 'SMTP_URL', address('smtp:', 'smtps:'))
  const brandName = setting(env, 'BRAND_NAME', line) ?? 'Banco Finanzas'
  const displayCurrency =
    setting(env, 'DISPLAY_CURRENCY', oneOf('USD', 'COP')) === 'COP' ? ('COP' as const) : ('USD' as const)
  const mailFrom = setting(env, 'MAIL_FROM', sender)
  if (smtpUrl !== null && mailFrom === null)
    throw new ConfigError('SMTP_URL necesita MAIL_FROM: la dirección de la que salen los correos.')
  const passwordLengthMin = number(env, 'PASSWORD_MIN_LENGTH', integer(8, 128)) ?? 8
  const email = readEmail(setting(env, 'ADMIN_EMAIL') ?? 'admin@finanzas.local')
  if (email === null) throw new ConfigError('ADMIN_EMAIL debe ser una dirección de correo.')
  const enabled = enabledFeatures(env)
  const rateLimits = setting(env, 'AUTH_RATE_LIMITS', oneOf('on', 'off')) !== 'off'
  const from = mailFrom === null ? null : readSender(mailFrom, brandName)
  const config = {
    port,
    host,
    /**
     * Period before closing. During this period, the server answers 503 at `/ready`, so that a proxy stops sending
     * requests to this server.
     */
    drainSeconds: number(env, 'DRAIN_SECONDS', integer(0, 300)) ?? 0,
    /** Host and port at which Prometheus reads the metrics; `null` if the metrics are not served. */
    metrics: metricsPort === 0 ? null : { host: metricsHost, port: metricsPort },
    /** Without a trailing slash. Links in mails and redirects may lead only to this origin. */
    siteUrl: withoutSlash(siteUrl ?? `http://localhost:${port}`),
    /** True if `SITE_URL` is not set; loopback names with this port are then accepted as origins. */
    isDefaultSite: siteUrl === null,
    /** Absolute path. */
    dataDir: resolve(setting(env, 'DATA_DIR', directory) ?? './data'),
    /** Settings of the PostgreSQL database; `null` selects the embedded engine. */
    database,
    backup: {
      /**
       * Interval between scheduled backups; 0 disables them. `null` disables them too: the operator of a bank on
       * PostgreSQL has not decided who makes the backups.
       */
      intervalMinutes:
        number(env, 'BACKUP_INTERVAL_MINUTES', integer(0, 10_080)) ?? (database === null ? 60 : null),
      keep: {
        newest: number(env, 'BACKUP_KEEP', integer(1, 10_000)) ?? 24,
        days: number(env, 'BACKUP_KEEP_DAYS', integer(0, 10_000)) ?? 7,
      },
      /** Key that signs backups; `null` selects the key in `$DATA_DIR`. */
      signingKey: signingKey(env, 'BACKUP_SIGNING_KEY'),
    },
    mail: from === null || smtpUrl === null ? null : { smtpUrl, from },
    /** Address of the operator, who gets a mail about each alarm; `null` for no mails. */
    operatorEmail: readEmail(setting(env, 'OPERATOR_EMAIL', mailbox)),
    administrator: { email, password: firstPassword(env, { passwordLengthMin, brandName, email }) },
    secrets: {
      jwtSecret: signingSecret(env, 'JWT_SECRET'),
      /**
       * Tokens that were signed with this secret stay valid during a rotation of the signing key. New tokens are not
       * signed with this secret.
       */
      previousSecret: signingSecret(env, 'JWT_SECRET_PREVIOUS'),
    },
    brandName,
    /** The bank's contact details for mails; empty if the operator has not set any. */
    supportContact: (setting(env, 'SUPPORT_CONTACT', line) ?? '').trim(),
    /** The bank's tax number, address, telephone and website, which its statements and receipts state. */
    bankParticulars: bankParticulars({
      taxNumber: setting(env, 'BANK_TAX_NUMBER', bankRules.taxNumber),
      address: setting(env, 'BANK_ADDRESS', bankRules.address),
      phone: setting(env, 'BANK_PHONE', bankRules.phone),
      site: siteUrl === null ? null : withoutSlash(siteUrl),
    }),
    displayCurrency,
    /** URL templates of the two third-party services; an empty template disables the service. */
    avatarUrl: template(env, 'AVATAR_URL', '{initials}') ?? avatarService,
    chartUrl: template(env, 'CHART_URL', '{symbol}') ?? chartService,
    features: enabled,
    rateLimits,
    bankSettings: bankSettings(env, { brandName, displayCurrency, features: enabled, rateLimits }),
    /** Maximum number of invitations per hour to customers whose accounts were opened from a file. */
    invitationsPerHour: number(env, 'INVITATIONS_PER_HOUR', integer(1, 10_000)) ?? 200,
    /**
     * False for a copy of a bank that a person only reads. Its server sends no mails, makes no backups, and does no work
     * that is due: the bank itself does all of this.
     */
    hasBackgroundWork: setting(env, 'BACKGROUND_WORK', oneOf('on', 'off')) !== 'off',
    corsOrigins: listOf(setting(env, 'CORS_ORIGINS', origins)),
    passwordLengthMin,
    autoconfirm: setting(env, 'AUTH_AUTOCONFIRM', oneOf('true', 'false')) === 'true',
    /** Addresses of the proxies whose `X-Forwarded-*` headers are trusted. */
    trustProxy: listOf(setting(env, 'TRUST_PROXY', proxies)),
    /** called-here.ts, which must work even if the configuration is invalid, reads this variable separately. */
    operatorCommand: operatorCommand(env),
    logLevel: setting(env, 'LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent')) ?? 'info',
  }
  const isLocal =
    isLoopback(host) && isLoopback(new URL(config.siteUrl).hostname) && config.trustProxy.length === 0
  if ((config.autoconfirm || !config.rateLimits) && !isLocal) {
    throw new ConfigError(
      'AUTH_AUTOCONFIRM=true y AUTH_RATE_LIMITS=off son para pruebas: HOST y SITE_URL deben ser direcciones de loopback ' +
        '(127.0.0.1, localhost), y TRUST_PROXY debe estar vacío.',
    )
  }
  return config
}

/**
 * Returns the command line that calls an operator's command, with the placeholder `NAME`; `null` means `npm run NAME
 * --`.
 */
export function operatorCommand(env: Environment): string | null {
  return setting(env, 'OPERATOR_COMMAND', {
    accepts: (value) => line.accepts(value) && value.includes('NAME'),
    words: 'una línea que contenga NAME',
  })
}

function databaseSettings(env: Environment) {
  const url = postgresUrl(env, 'DATABASE_URL')
  const directUrl = postgresUrl(env, 'DATABASE_DIRECT_URL')
  /** Number of connections that serve requests. */
  const poolSize = number(env, 'DATABASE_POOL_SIZE', integer(1, 100)) ?? poolSizeDefault
  const allowSuperuser = setting(env, 'DATABASE_ALLOW_SUPERUSER', oneOf('true', 'false')) === 'true'
  /** `ownerUrl` is the URL with which the database owner connects. This URL bypasses a connection pooler. */
  return url === null ? null : { url, directUrl, ownerUrl: directUrl ?? url, poolSize, allowSuperuser }
}

function enabledFeatures(env: Environment): readonly Feature[] {
  const names = new Set(listOf(setting(env, 'FEATURES', featureNames)))
  return features.filter((feature) => names.has(feature))
}

/** The settings that the database enforces, by their names in `private.settings`. Amounts are in units of the currency. */
export type BankSettings = ReturnType<typeof bankSettings>

/** A server writes these settings at each start. tests/database/settings.test.ts compares them with the table. */
function bankSettings(
  env: Environment,
  site: {
    brandName: string
    displayCurrency: keyof typeof transferDefaults
    features: readonly Feature[]
    rateLimits: boolean
  },
) {
  const transfers = transferDefaults[site.displayCurrency]
  return {
    ...switches(site.features),
    auth_rate_limits: onOrOff(site.rateLimits),
    brand_name: site.brandName,
    display_currency: site.displayCurrency,
    // ISO 20022 writes NOTPROVIDED for an account that the receiver knows.
    clearing_account: setting(env, 'CLEARING_ACCOUNT', clearingAccount) ?? 'NOTPROVIDED',
    staff_proof: setting(env, 'STAFF_PROOF', oneOf('on', 'off')) ?? 'on',
    staff_proof_above:
      number(env, 'STAFF_PROOF_ABOVE', integer(0, amountMax)) ?? proofAboveDefaults[site.displayCurrency],
    staff_self_dealing: setting(env, 'STAFF_SELF_DEALING', oneOf('allow', 'refuse')) ?? 'allow',
    staff_approval_above: number(env, 'STAFF_APPROVAL_ABOVE', integer(0, amountMax)),
    transfer_automatic_max:
      number(env, 'TRANSFER_AUTOMATIC_MAX', integer(0, amountMax)) ?? transfers.automaticMax,
    transfer_max: number(env, 'TRANSFER_MAX', integer(1, amountMax)) ?? transfers.transferMax,
    transfer_day_max: number(env, 'TRANSFER_DAY_MAX', integer(1, amountMax)) ?? transfers.dayMax,
    transfer_expires_hours: number(env, 'TRANSFER_EXPIRES_HOURS', integer(1, 720)) ?? 72,
  }
}

function switches(enabled: readonly Feature[]): Record<Feature, 'on' | 'off'> {
  return {
    transferencias: onOrOff(enabled.includes('transferencias')),
    notificaciones: onOrOff(enabled.includes('notificaciones')),
  }
}

function onOrOff(isOn: boolean): 'on' | 'off' {
  return isOn ? 'on' : 'off'
}

/** Reads the first administrator's password, which must meet the same rules as all other passwords. */
function firstPassword(
  env: Environment,
  site: { passwordLengthMin: number; brandName: string; email: string },
): string | null {
  const password = env['ADMIN_PASSWORD'] || null
  if (password === null) return null
  const { length } = [...password]
  if (length < site.passwordLengthMin || length > passwordLengthMax) {
    throw new ConfigError(
      `ADMIN_PASSWORD debe tener de ${site.passwordLengthMin} a ${passwordLengthMax} caracteres.`,
    )
  }
  if (isCommonPassword(password, site)) {
    throw new ConfigError(
      'ADMIN_PASSWORD es de las que se prueban primero. Elige otra, o quita la variable: el primer inicio inventa una y la muestra.',
    )
  }
  return password
}
