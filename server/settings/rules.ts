/** Reads environment variables, and refuses values that break the variable's rule. */
import { compile } from '@fastify/proxy-addr'
import { features } from '@finanzas/contract/wire/features.ts'
import { settingLengthMax } from '@finanzas/contract/limits.ts'
import { readEmail } from '#people/email.ts'
import { readSender } from '#mail/sender.ts'

/** The environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Error about an invalid variable. The operator sees the message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The rule for a variable. `words` completes a sentence that begins with "debe ser". */
export type Rule = { readonly accepts: (value: string) => boolean; readonly words: string }

/**
 * Returns the value of a variable, or `null` if the variable is unset or empty. Errors do not repeat the value, because
 * the value may contain a password.
 */
export function valueOf(given: string | undefined, name: string, { accepts, words }: Rule): string | null {
  const value = given || null
  if (value !== null && !accepts(value)) throw new ConfigError(`${name} debe ser ${words}.`)
  return value
}

export const anything: Rule = { accepts: () => true, words: '' }
/** Programs disagree on the bytes of other characters in a password of PKCS #12. */
export const visible: Rule = {
  accepts: (value) => /^[\u0020-\u007e]*$/.test(value),
  words: 'una contraseña sin tildes ni otros signos fuera de ASCII',
}
export const line: Rule = {
  accepts: (value) => value.trim().length <= settingLengthMax && !/[\u0000-\u001f\u007f]/.test(value.trim()),
  words: `una línea de ${settingLengthMax} caracteres como máximo`,
}
export const mailbox: Rule = {
  accepts: (value) => readEmail(value) !== null,
  words: 'una dirección de correo',
}
export const sender: Rule = {
  accepts: (value) => readSender(value, '') !== null,
  words: 'una dirección como banco@banco.example, o con nombre: Banco <banco@banco.example>',
}
export const directory: Rule = {
  accepts: (value) => !value.includes('://'),
  words: 'un directorio de esta máquina: las direcciones van en DATABASE_URL',
}
export const site: Rule = {
  accepts: isSite,
  words: 'una dirección como https://banco.example, sin ruta ni nada más detrás',
}
export const proxies: Rule = {
  accepts: (value) => areProxies(listOf(value)),
  words:
    'una lista de direcciones IP o redes, separadas por comas: 127.0.0.1, 10.0.0.0/8, loopback, linklocal, uniquelocal',
}
export const origins: Rule = {
  accepts: (value) => listOf(value).every(isOrigin),
  words: 'una lista de orígenes como https://banco.example, separados por comas',
}
export const clearingAccountPattern = /^[A-Z0-9]{1,34}$/
export const clearingAccount: Rule = {
  accepts: (value) => clearingAccountPattern.test(value),
  words: 'un número de cuenta de 34 cifras o letras mayúsculas como máximo, sin espacios',
}
export const featureNames: Rule = {
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

export function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '')
}

export const command: Rule = {
  accepts: (value) => line.accepts(value) && value.includes('NAME'),
  words: 'una línea que contenga NAME',
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

/** Accepts only digits, because `Number` reads `10.000` as ten and also reads `1e4`, `0x10` and spaces. */
export function integer(least: number, most: number): Rule {
  const accepts = (value: string) => /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
  return {
    accepts,
    words: `un número entero de ${least} a ${most}, solo con cifras: 10000, no 10.000 ni 1e4`,
  }
}

export function oneOf(...values: readonly string[]): Rule {
  return { accepts: (value) => values.includes(value), words: `uno de estos: ${values.join(', ')}` }
}

export function address(...schemes: readonly string[]): Rule {
  return {
    accepts: (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol),
    words: `una dirección que empiece por ${schemes.map((each) => `${each}//`).join(' o ')}`,
  }
}

export function listOf(value: string | null): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
