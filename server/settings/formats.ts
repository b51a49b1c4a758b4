/** Reads variables with a format of their own: URLs, secrets and keys. */
import type { KeyObject } from 'node:crypto'
import { parseSigningKey } from '#backup/signing-key.ts'
import { ConfigError, valueOf } from './rules.ts'

/** Reads URL templates. An empty value disables the third-party service. */
export function template(placeholder: string) {
  const rule = {
    accepts: (value: string) => value.includes(placeholder) && URL.canParse(value),
    words: `una dirección que contenga ${placeholder}, o estar vacía`,
  }
  return (given: string | undefined, name: string) => (given === '' ? '' : valueOf(given, name, rule))
}

// Example secrets that are published in documentation and therefore refused (security.md SE-10).
const publishedSecrets = new Set([
  'super-secret-jwt-token-with-at-least-32-characters-long',
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
])

export function signingSecret(given: string | undefined, name: string): string | null {
  const secret = given || null
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
export function postgresUrl(value: string | undefined, name: string): string | null {
  if (!value) return null
  refuseSeveralServers(name, value)
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

/**
 * Refuses the notation of libpq for several servers. The driver would take the list for one name, and would ignore the
 * parameters that choose one of the servers.
 */
function refuseSeveralServers(name: string, value: string): void {
  const [, authority = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?/.exec(value) ?? []
  const parameters = new URLSearchParams(query)
  const hosts = [authority.slice(authority.lastIndexOf('@') + 1), ...parameters.getAll('host')]
  const isChosen = ['target_session_attrs', 'load_balance_hosts'].some((each) => parameters.has(each))
  if (!isChosen && !hosts.some((host) => host.includes(','))) return
  throw new ConfigError(
    `${name} nombra un solo servidor, sin comas, sin target_session_attrs y sin load_balance_hosts. Si hay varios, ` +
      'pon delante HAProxy, o el nombre que lleva siempre al primario (docs/es/servidores.md).',
  )
}

/**
 * Reads a private key in PEM format. The key's line feeds may be written as `\\n`, so that the key fits on one line.
 */
export function signingKey(value: string | undefined, name: string): KeyObject | null {
  if (!value) return null
  const key = parseSigningKey(value.replaceAll(String.raw`\n`, '\n'))
  // The error does not repeat the value, because it is a secret.
  if (key === null) throw new ConfigError(`${name} debe ser una clave privada Ed25519 en PEM.`)
  return key
}
