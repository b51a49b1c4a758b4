/**
 * All environment variables and their defaults. Apart from called-here.ts and hosted-page.ts, no other file of the
 * server reads a variable. docs/operations.md lists the variables too, and tools/deploy.test.ts compares the two lists.
 */
import type { KeyObject } from 'node:crypto'
import { resolve } from 'node:path'
import { compile } from '@fastify/proxy-addr'
import { type Feature, features } from '@finanzas/contract/wire/features.ts'
import { passwordLengthMax, settingLengthMax } from '@finanzas/contract/limits.ts'
import { bankParticulars, bankRules } from '@finanzas/contract/statement/particulars.ts'
import { parseSigningKey } from '#backup/signing-key.ts'
import { isLoopback } from '#http/loopback.ts'
import { poolSizeDefault } from '#database/postgres/postgres.ts'
import { isCommonPassword } from '#identity/password/blocklist.ts'
import { readEmail } from '#identity/email.ts'
import { readSender } from '#mail/sender.ts'

export type Config = Readonly<ReturnType<typeof readConfig>>

type Environment = Readonly<Record<string, string | undefined>>

/** Error about an invalid variable. The operator sees the message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

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
 * Default of `STAFF_PROOF_ABOVE`. The default exceeds nearly every monthly wage, so that a payroll requires a proof,
 * but the payment of one wage does not.
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
  const port = Number(setting(env, 'PORT', integer(1, 65_535)) ?? 3000)
  const host = setting(env, 'HOST') ?? '127.0.0.1'
  const metricsPort = Number(setting(env, 'METRICS_PORT', integer(0, 65_535)) ?? 0)
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
  const passwordLengthMin = Number(setting(env, 'PASSWORD_MIN_LENGTH', integer(8, 128)) ?? 8)
  const email = readEmail(setting(env, 'ADMIN_EMAIL') ?? 'admin@finanzas.local')
  if (email === null) throw new ConfigError('ADMIN_EMAIL debe ser una dirección de correo.')
  const from = mailFrom === null ? null : readSender(mailFrom, brandName)
  const config = {
    port,
    host,
    /**
     * Period before closing. During this period, the server answers 503 at `/ready`, so that a proxy stops sending
     * requests to this server.
     */
    drainSeconds: Number(setting(env, 'DRAIN_SECONDS', integer(0, 300)) ?? 0),
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
      /** Interval between scheduled backups; 0 disables them. */
      intervalMinutes: Number(
        setting(env, 'BACKUP_INTERVAL_MINUTES', integer(0, 10_080)) ?? (database === null ? 60 : 0),
      ),
      keep: {
        newest: Number(setting(env, 'BACKUP_KEEP', integer(1, 10_000)) ?? 24),
        days: Number(setting(env, 'BACKUP_KEEP_DAYS', integer(0, 10_000)) ?? 7),
      },
      /** Key that signs backups; `null` selects the key in `$DATA_DIR`. */
      signingKey: signingKey(env, 'BACKUP_SIGNING_KEY'),
    },
    mail: from === null || smtpUrl === null ? null : { smtpUrl, from },
    /** Address of the operator, who gets a mail about each alarm; `null` for no mails. */
    operatorEmail: operatorEmail(env),
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
    /** The bank's particulars, which its statements and receipts state. */
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
    /** The bank's rules for its administrators, which the database stores (`private.staff_rules`). */
    staff: {
      /**
       * Amount, in units of the currency, that a session may move before the bank requires another proof of presence.
       */
      proofAbove: Number(
        setting(env, 'STAFF_PROOF_ABOVE', integer(0, amountMax)) ?? proofAboveDefaults[displayCurrency],
      ),
      selfDealing: setting(env, 'STAFF_SELF_DEALING', oneOf('allow', 'refuse')) ?? 'allow',
      /**
       * Amount, in units of the currency, that an administrator may move on one day without a second administrator;
       * `null` if the bank requires no second administrator.
       */
      approvalAbove: optionalNumber(setting(env, 'STAFF_APPROVAL_ABOVE', integer(0, amountMax))),
    },
    /** The features that the bank has enabled, which the database stores (`private.features`). */
    features: enabledFeatures(env),
    transfers: transferRules(env, displayCurrency),
    /** Maximum number of invitations per hour to customers whose accounts were opened from a file. */
    invitationsPerHour: Number(setting(env, 'INVITATIONS_PER_HOUR', integer(1, 10_000)) ?? 200),
    /**
     * The bank's account in its clearing files (`private.clearing_rules`); `null` if the files need not state the
     * account.
     */
    clearingAccount: setting(env, 'CLEARING_ACCOUNT', clearingAccount),
    corsOrigins: listOf(setting(env, 'CORS_ORIGINS', origins)),
    passwordLengthMin,
    autoconfirm: setting(env, 'AUTH_AUTOCONFIRM', oneOf('true', 'false')) === 'true',
    rateLimits: setting(env, 'AUTH_RATE_LIMITS', oneOf('on', 'off')) !== 'off',
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

function operatorEmail(env: Environment): string | null {
  const value = setting(env, 'OPERATOR_EMAIL', {
    accepts: (address) => readEmail(address) !== null,
    words: 'una dirección de correo',
  })
  return value === null ? null : readEmail(value)
}

function databaseSettings(env: Environment) {
  const url = postgresUrl(env, 'DATABASE_URL')
  const directUrl = postgresUrl(env, 'DATABASE_DIRECT_URL')
  /** Number of connections that serve requests. */
  const poolSize = Number(setting(env, 'DATABASE_POOL_SIZE', integer(1, 100)) ?? poolSizeDefault)
  const allowSuperuser = setting(env, 'DATABASE_ALLOW_SUPERUSER', oneOf('true', 'false')) === 'true'
  /** `ownerUrl` is the URL with which the database owner connects. This URL bypasses a connection pooler. */
  return url === null ? null : { url, directUrl, ownerUrl: directUrl ?? url, poolSize, allowSuperuser }
}

function enabledFeatures(env: Environment): readonly Feature[] {
  const names = new Set(listOf(setting(env, 'FEATURES', featureNames)))
  return features.filter((feature) => names.has(feature))
}

function optionalNumber(value: string | null): number | null {
  return value === null ? null : Number(value)
}

/** Reads the bank's limits for transfers, which the database stores (`private.transfer_rules`). */
function transferRules(env: Environment, currency: keyof typeof transferDefaults) {
  const defaults = transferDefaults[currency]
  return {
    automaticMax: Number(
      setting(env, 'TRANSFER_AUTOMATIC_MAX', integer(0, amountMax)) ?? defaults.automaticMax,
    ),
    transferMax: Number(setting(env, 'TRANSFER_MAX', integer(1, amountMax)) ?? defaults.transferMax),
    dayMax: Number(setting(env, 'TRANSFER_DAY_MAX', integer(1, amountMax)) ?? defaults.dayMax),
    expiresHours: Number(setting(env, 'TRANSFER_EXPIRES_HOURS', integer(1, 720)) ?? 72),
  }
}

/** The rule for a variable. `words` completes a sentence that begins with "debe ser". */
type Rule = { readonly accepts: (value: string) => boolean; readonly words: string }

/**
 * Reads a variable; returns `null` if the variable is unset or empty. Errors do not repeat the value, because the value
 * may contain a password.
 */
function setting(env: Environment, name: string, { accepts, words }: Rule = anything): string | null {
  const value = env[name] || null
  if (value !== null && !accepts(value)) throw new ConfigError(`${name} debe ser ${words}.`)
  return value
}

const anything: Rule = { accepts: () => true, words: '' }
const line: Rule = {
  accepts: (value) => value.trim().length <= settingLengthMax && !/[\u0000-\u001f\u007f]/.test(value.trim()),
  words: `una línea de ${settingLengthMax} caracteres como máximo`,
}
const sender: Rule = {
  accepts: (value) => readSender(value, '') !== null,
  words: 'una dirección como banco@banco.example, o con nombre: Banco <banco@banco.example>',
}
const directory: Rule = {
  accepts: (value) => !value.includes('://'),
  words: 'un directorio de esta máquina: las direcciones van en DATABASE_URL',
}
const site: Rule = {
  accepts: isSite,
  words: 'una dirección como https://banco.example, sin ruta ni nada más detrás',
}
const proxies: Rule = {
  accepts: (value) => areProxies(listOf(value)),
  words:
    'una lista de direcciones IP o redes, separadas por comas: 127.0.0.1, 10.0.0.0/8, loopback, linklocal, uniquelocal',
}
const origins: Rule = {
  accepts: (value) => listOf(value).every(isOrigin),
  words: 'una lista de orígenes como https://banco.example, separados por comas',
}
const clearingAccount: Rule = {
  accepts: (value) => /^[A-Z0-9]{1,34}$/.test(value),
  words: 'un número de cuenta de 34 cifras o letras mayúsculas como máximo, sin espacios',
}
const featureNames: Rule = {
  accepts: (value) => listOf(value).every((name) => features.some((feature) => feature === name)),
  words: `una lista de funciones separadas por comas, de entre estas: ${features.join(', ')}`,
}

/**
 * Returns true for an `Origin` in the form that browsers send: in lower case, without the scheme's default port and
 * without a path.
 */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

/** Checks the site's URL but does not normalize it, because tokens contain the URL exactly as it was set. */
function isSite(text: string): boolean {
  if (!address('http:', 'https:').accepts(text)) return false
  const { pathname, search, hash, username, password } = new URL(withoutSlash(text))
  return pathname === '/' && [search, hash, username, password].every((part) => part === '')
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '')
}

/** Returns true if Fastify accepts each entry as an address or a network. */
function areProxies(list: string[]): boolean {
  try {
    compile(list)
    return true
  } catch {
    return false
  }
}

function integer(least: number, most: number): Rule {
  const accepts = (value: string) =>
    Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most
  return { accepts, words: `un número entero de ${least} a ${most}` }
}

function oneOf(...values: readonly string[]): Rule {
  return { accepts: (value) => values.includes(value), words: `uno de estos: ${values.join(', ')}` }
}

function address(...schemes: readonly string[]): Rule {
  return {
    accepts: (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol),
    words: `una dirección que empiece por ${schemes.map((each) => `${each}//`).join(' o ')}`,
  }
}

function listOf(value: string | null): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Reads a URL template. An empty value disables the third-party service. */
function template(env: Environment, name: string, placeholder: string): string | null {
  if (env[name] === '') return ''
  return setting(env, name, {
    accepts: (value) => value.includes(placeholder) && URL.canParse(value),
    words: `una dirección que contenga ${placeholder}, o estar vacía`,
  })
}

// Example secrets that are published in documentation and therefore refused (security.md SE-10).
const publishedSecrets = new Set([
  'super-secret-jwt-token-with-at-least-32-characters-long',
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
])

function signingSecret(env: Environment, name: string): string | null {
  const secret = env[name] || null
  if (secret !== null && secret.length < 32)
    throw new ConfigError(`${name} debe tener al menos 32 caracteres.`)
  if (secret !== null && publishedSecrets.has(secret)) {
    throw new ConfigError(
      `${name} es un ejemplo publicado: cualquiera podría entrar como cualquiera. Elige uno al azar.`,
    )
  }
  return secret
}

/**
 * Reads a PostgreSQL URL. A Unix socket's directory becomes the host, because a URL without a host cannot contain a
 * user and a password.
 */
function postgresUrl(env: Environment, name: string): string | null {
  const value = env[name]
  if (!value) return null
  const [, start = '', path = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(\/.*)$/.exec(value) ?? []
  const address = start === '' ? value : `${start}socket${path}`
  const parsed = URL.canParse(address) ? new URL(address) : null
  // The error does not repeat the value, because it may contain a password.
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw new ConfigError(`${name} debe ser una dirección como postgres://usuario:clave@servidor:5432/base.`)
  if (start === '') return value
  const folder = parsed.searchParams.get('host') ?? ''
  if (!folder.startsWith('/')) {
    throw new ConfigError(
      `${name} no nombra ningún servidor. Para un socket de Unix: postgres://usuario:clave@/base?host=/run/postgresql`,
    )
  }
  parsed.searchParams.delete('host')
  parsed.hostname = encodeURIComponent(folder)
  return parsed.href
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

/**
 * Reads a private key in PEM format. The key's line feeds may be written as `\\n`, so that the key fits on one line.
 */
function signingKey(env: Environment, name: string): KeyObject | null {
  const value = env[name]
  if (!value) return null
  const key = parseSigningKey(value.replaceAll(String.raw`\n`, '\n'))
  // The error does not repeat the value, because it is a secret.
  if (key === null) throw new ConfigError(`${name} debe ser una clave privada Ed25519 en PEM.`)
  return key
}
