/**
 * The operator's contract: every environment variable, read here and nowhere else, with its default
 * (docs/operations.md lists each; tools/deploy.test.ts compares).
 */
import type { KeyObject } from 'node:crypto'
import { resolve } from 'node:path'
import { passwordLengthMax } from '@finanzas/contract/limits.ts'
import { parseSigningKey } from '#backup/signing-key.ts'
import { isLoopback } from '#http/loopback.ts'
import { poolSizeDefault } from './database/postgres/postgres.ts'
import { isCommonPassword } from './identity/password/blocklist.ts'
import { readEmail } from '#identity/email.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export type Config = {
  readonly port: number
  readonly host: string
  /** How long `/ready` says 503 before the server closes, so that a proxy stops sending to it. */
  readonly drainSeconds: number
  /** Where Prometheus may read; `null` means nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  /** Without a trailing slash; the only origin that links in mails and redirects may name. */
  readonly siteUrl: string
  /** Whether `SITE_URL` was left to its default: then loopback names of this port are accepted too. */
  readonly isDefaultSite: boolean
  /** Absolute path. */
  readonly dataDir: string
  /** `null` means the embedded engine. */
  readonly database: {
    readonly url: string
    readonly directUrl: string | null
    /** Connections that serve requests. */
    readonly poolSize: number
    readonly allowSuperuser: boolean
  } | null
  readonly backup: {
    /** 0 means that none is made by itself. */
    readonly intervalMinutes: number
    readonly keep: { readonly newest: number; readonly days: number }
    /** `null` means the one in `$DATA_DIR`. */
    readonly signingKey: KeyObject | null
  }
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null
  readonly administrator: { readonly email: string; readonly password: string | null }
  readonly secrets: {
    readonly jwtSecret: string | null
    /** What it signed counts while the signing key changes; nothing new is signed with it. */
    readonly previousSecret: string | null
    readonly anonKey: string | null
    readonly serviceRoleKey: string | null
  }
  readonly brandName: string
  /** How customers reach the bank, as mails say it; empty where the operator has not said. */
  readonly supportContact: string
  readonly displayCurrency: string
  /** Address templates of the two third parties; empty means switched off. */
  readonly avatarUrl: string
  readonly chartUrl: string
  readonly corsOrigins: readonly string[]
  readonly passwordLengthMin: number
  readonly autoconfirm: boolean
  readonly rateLimits: boolean
  /** Addresses of proxies whose `X-Forwarded-*` is trusted; `false` trusts none. */
  readonly trustProxy: readonly string[] | false
  readonly logLevel: LogLevel
}

type Environment = Readonly<Record<string, string | undefined>>

/** What is wrong with a variable, in a sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const avatarService =
  'https://ui-avatars.com/api/?name={initials}&length=2&size=160&background=234485&color=ffffff&bold=true&format=svg'
// The service reads its settings, as JSON, from the address's fragment: nothing of them is sent.
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

/** Reads the configuration. Throws `ConfigError` for the first variable that cannot be right. */
export function readConfig(env: Environment): Config {
  const port = integer(env, 'PORT', 3000, { least: 1, most: 65_535 })
  const host = text(env, 'HOST', '127.0.0.1')
  const metricsPort = integer(env, 'METRICS_PORT', 0, { least: 0, most: 65_535 })
  if (metricsPort === port)
    throw new ConfigError('METRICS_PORT debe ser distinto de PORT: en el puerto público no hay métricas.')
  const siteUrl = url(env, 'SITE_URL', ['http:', 'https:']) ?? `http://localhost:${port}`
  const databaseUrl = postgresUrl(env, 'DATABASE_URL')
  const poolSize = integer(env, 'DATABASE_POOL_SIZE', poolSizeDefault, { least: 1, most: 100 })
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:'])
  const mailFrom = text(env, 'MAIL_FROM', '')
  if (smtpUrl !== null && mailFrom === '')
    throw new ConfigError('SMTP_URL necesita MAIL_FROM: la dirección de la que salen los correos.')
  const passwordLengthMin = integer(env, 'PASSWORD_MIN_LENGTH', 8, { least: 8, most: 128 })
  const brandName = text(env, 'BRAND_NAME', 'Banco Finanzas')
  const email = administratorEmail(text(env, 'ADMIN_EMAIL', 'admin@finanzas.local'))
  const administratorPassword = firstPassword(env, { lengthMin: passwordLengthMin, brandName, email })
  const jwtSecret = signingSecret(env, 'JWT_SECRET')
  const previousSecret = signingSecret(env, 'JWT_SECRET_PREVIOUS')
  const autoconfirm = flag(env, 'AUTH_AUTOCONFIRM', { on: 'true', off: 'false', fallback: false })
  const rateLimits = flag(env, 'AUTH_RATE_LIMITS', { on: 'on', off: 'off', fallback: true })
  const trustProxy = env['TRUST_PROXY'] ? list(env, 'TRUST_PROXY') : false
  const isLocal = isLoopback(host) && isLoopback(new URL(siteUrl).hostname) && trustProxy === false
  if ((autoconfirm || !rateLimits) && !isLocal) {
    throw new ConfigError(
      'AUTH_AUTOCONFIRM=true y AUTH_RATE_LIMITS=off son para pruebas: HOST y SITE_URL deben ser direcciones de loopback ' +
        '(127.0.0.1, localhost), y TRUST_PROXY debe estar vacío.',
    )
  }
  return {
    port,
    host,
    drainSeconds: integer(env, 'DRAIN_SECONDS', 0, { least: 0, most: 300 }),
    metrics: metricsPort === 0 ? null : { host: text(env, 'METRICS_HOST', '127.0.0.1'), port: metricsPort },
    siteUrl: siteUrl.replace(/\/+$/, ''),
    isDefaultSite: !env['SITE_URL'],
    dataDir: resolve(text(env, 'DATA_DIR', './data')),
    database:
      databaseUrl === null
        ? null
        : {
            url: databaseUrl,
            directUrl: postgresUrl(env, 'DATABASE_DIRECT_URL'),
            poolSize,
            allowSuperuser: flag(env, 'DATABASE_ALLOW_SUPERUSER', {
              on: 'true',
              off: 'false',
              fallback: false,
            }),
          },
    backup: {
      intervalMinutes: integer(env, 'BACKUP_INTERVAL_MINUTES', databaseUrl === null ? 60 : 0, {
        least: 0,
        most: 10_080,
      }),
      keep: {
        newest: integer(env, 'BACKUP_KEEP', 24, { least: 1, most: 10_000 }),
        days: integer(env, 'BACKUP_KEEP_DAYS', 7, { least: 0, most: 10_000 }),
      },
      signingKey: signingKey(env, 'BACKUP_SIGNING_KEY'),
    },
    mail: smtpUrl === null ? null : { smtpUrl, from: mailFrom },
    administrator: { email, password: administratorPassword },
    secrets: {
      jwtSecret,
      previousSecret,
      anonKey: env['ANON_KEY'] || null,
      serviceRoleKey: env['SERVICE_ROLE_KEY'] || null,
    },
    brandName,
    supportContact: oneLine(env, 'SUPPORT_CONTACT'),
    displayCurrency: currency(text(env, 'DISPLAY_CURRENCY', 'USD')),
    avatarUrl: template(env, 'AVATAR_URL', '{initials}', avatarService),
    chartUrl: template(env, 'CHART_URL', '{symbol}', chartService),
    corsOrigins: list(env, 'CORS_ORIGINS').map((origin) => exactOrigin(origin)),
    passwordLengthMin,
    autoconfirm,
    rateLimits,
    trustProxy,
    logLevel: logLevel(text(env, 'LOG_LEVEL', 'info')),
  }
}

// Signing keys that stand in public documentation (security.md SE-10).
const publishedSecrets = new Set([
  'super-secret-jwt-token-with-at-least-32-characters-long',
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
])

function signingSecret(env: Environment, name: string): string | null {
  const secret = env[name] || null
  if (secret === null) return null
  if (secret.length < 32) throw new ConfigError(`${name} debe tener al menos 32 caracteres.`)
  if (publishedSecrets.has(secret)) {
    throw new ConfigError(
      `${name} es un ejemplo publicado: cualquiera podría entrar como cualquiera. Elige uno al azar.`,
    )
  }
  return secret
}

function text(env: Environment, name: string, fallback: string): string {
  return env[name] || fallback
}

/** Words for people: a sentence at most, on one line. */
function oneLine(env: Environment, name: string): string {
  const words = (env[name] ?? '').trim()
  if (words.length > 200 || /[\u0000-\u001f\u007f]/.test(words))
    throw new ConfigError(`${name} debe ser una línea de 200 caracteres como máximo.`)
  return words
}

function list(env: Environment, name: string): string[] {
  return (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function integer(
  env: Environment,
  name: string,
  fallback: number,
  range: { least: number; most: number },
): number {
  const value = env[name] ? Number(env[name]) : fallback
  if (!Number.isInteger(value) || value < range.least || value > range.most) {
    throw new ConfigError(`${name} debe ser un número entero de ${range.least} a ${range.most}.`)
  }
  return value
}

function flag(
  env: Environment,
  name: string,
  words: { on: string; off: string; fallback: boolean },
): boolean {
  const value = env[name]
  if (!value) return words.fallback
  if (value !== words.on && value !== words.off)
    throw new ConfigError(`${name} debe ser ${words.on} ${orBefore(words.off)} ${words.off}.`)
  return value === words.on
}

/** The Spanish "or", by the sound that comes after it. */
function orBefore(word: string): 'o' | 'u' {
  return /^h?o/.test(word) ? 'u' : 'o'
}

function url(env: Environment, name: string, schemes: readonly string[]): string | null {
  const value = env[name]
  if (!value) return null
  const scheme = URL.canParse(value) ? new URL(value).protocol : null
  // The value may hold a password: it is not repeated.
  if (scheme === null || !schemes.includes(scheme)) {
    throw new ConfigError(
      `${name} debe ser una dirección que empiece por ${schemes.map((each) => `${each}//`).join(' o ')}.`,
    )
  }
  return value
}

/** The address, with a Unix socket's folder as its host: an address without a host takes no user and no password. */
function postgresUrl(env: Environment, name: string): string | null {
  const value = env[name]
  if (!value) return null
  const [, start = '', path = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(\/.*)$/.exec(value) ?? []
  const address = start === '' ? value : `${start}socket${path}`
  const parsed = URL.canParse(address) ? new URL(address) : null
  // The value may hold a password: it is not repeated.
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

/** An address template; set to nothing it switches the third party off. */
function template(env: Environment, name: string, placeholder: string, fallback: string): string {
  const value = env[name] ?? fallback
  if (value === '') return ''
  if (!value.includes(placeholder) || !URL.canParse(value)) {
    throw new ConfigError(`${name} debe ser una dirección que contenga ${placeholder}, o estar vacía.`)
  }
  return value
}

/** Obeys what every other password obeys. */
function firstPassword(
  env: Environment,
  { lengthMin, brandName, email }: { lengthMin: number; brandName: string; email: string },
): string | null {
  const password = env['ADMIN_PASSWORD'] || null
  if (password === null) return null
  const { length } = [...password]
  if (length < lengthMin || length > passwordLengthMax)
    throw new ConfigError(`ADMIN_PASSWORD debe tener de ${lengthMin} a ${passwordLengthMax} caracteres.`)
  if (isCommonPassword(password, { brandName, email })) {
    throw new ConfigError(
      'ADMIN_PASSWORD es de las que se prueban primero. Elige otra, o quita la variable: el primer inicio inventa una y la muestra.',
    )
  }
  return password
}

function administratorEmail(value: string): string {
  const email = readEmail(value)
  if (email === null) throw new ConfigError('ADMIN_EMAIL debe ser una dirección de correo.')
  return email
}

/** A private key in PEM on one line, its line feeds written as `\\n` if need be. */
function signingKey(env: Environment, name: string): KeyObject | null {
  const value = env[name]
  if (!value) return null
  const key = parseSigningKey(value.replaceAll(String.raw`\n`, '\n'))
  // The value is a secret: it is not repeated.
  if (key === null) throw new ConfigError(`${name} debe ser una clave privada Ed25519 en PEM.`)
  return key
}

function currency(code: string): string {
  if (!/^[A-Z]{3}$/.test(code))
    throw new ConfigError('DISPLAY_CURRENCY debe ser un código ISO 4217, como USD o COP.')
  return code
}

function exactOrigin(value: string): string {
  if (!URL.canParse(value) || new URL(value).origin !== value) {
    throw new ConfigError(`CORS_ORIGINS: ${value} no es un origen como https://banco.example.`)
  }
  return value
}

function logLevel(value: string): LogLevel {
  const levels: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent']
  if (!levels.includes(value)) throw new ConfigError(`LOG_LEVEL debe ser uno de estos: ${levels.join(', ')}.`)
  return value as LogLevel
}
