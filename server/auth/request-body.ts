/** Request bodies of `/auth/v1`. As in GoTrue, a body is a JSON object, and its content type is ignored. */
import { authBodyBytesMax } from '@finanzas/contract/limits.ts'
import type { UserMetadata } from '@finanzas/contract/access/claims.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError, type WireErrorRow } from '#http/wire-error.ts'
import { userMetadataBytesMax } from '#identity/change-user.ts'
import { readEmail } from '#identity/email.ts'
import { type CodeChallenge, readCodeChallenge } from '#identity/session/pkce.ts'
import type { Device } from '#identity/session/sessions.ts'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import { authErrors, refusals } from './errors.ts'

/** Maximum depth of nested objects and arrays in `data`. */
const dataDepthMax = 16
const userAgentLengthMax = 256

export type Fields = Readonly<Record<string, unknown>>

export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: authBodyBytesMax },
    (_request, body: string, done) => {
      try {
        done(null, body === '' ? undefined : JSON.parse(body))
      } catch (error) {
        // The parser's message quotes the body, which may contain a password.
        done(new WireError(authErrors.badJson, { cause: error instanceof SyntaxError ? undefined : error }))
      }
    },
  )
}

/** Returns the fields of the body. Throws `bad_json` if the body is not an object. */
export function readFields(request: FastifyRequest): Fields {
  const { body } = request
  if (!isObject(body)) throw new WireError(authErrors.badJson)
  return body
}

/** Reads a text field; returns `null` when the field is absent, `null` or empty. Throws if the field is not text. */
export function readText(fields: Fields, name: string): string | null {
  const value = fields[name]
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new WireError(authErrors.notText)
  return value
}

/**
 * Reads a boolean field; returns false when the field is absent or `null`. Throws for any value other than `true` and
 * `false`.
 */
export function readFlag(fields: Fields, name: string): boolean {
  const value = fields[name]
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') throw new WireError(authErrors.notBoolean)
  return value
}

/**
 * Reads the PKCE challenge from a request for a link; returns `null` if the request does not contain a challenge.
 * Throws if the challenge is invalid.
 */
export function readChallenge(fields: Fields): CodeChallenge | null {
  const challenge = readText(fields, 'code_challenge')
  if (challenge === null) return null
  const read = readCodeChallenge(challenge, readText(fields, 'code_challenge_method'))
  if (read === null) throw new WireError(authErrors.invalidCodeChallenge)
  return read
}

/** Reads a required e-mail address. Throws if the address is missing or invalid. */
export function readAddress(fields: Fields, name = 'email'): string {
  const email = readEmail(fields[name])
  if (email === null) throw new WireError(authErrors.invalidEmail)
  return email
}

/**
 * Throws `missing` if the request does not name an e-mail address. A request that names a telephone instead gets the
 * error about telephones.
 */
export function requireEmail(fields: Fields, missing: WireErrorRow): void {
  if (readText(fields, 'email') !== null) return
  throw new WireError(readText(fields, 'phone') === null ? missing : authErrors.phoneDisabled)
}

/**
 * Reads a query parameter; returns `null` when it is absent or empty. If the parameter is repeated, the first value is
 * used.
 */
export function readQuery(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' && first !== '' ? first : null
}

/** Reads the user's own metadata (`data`); returns `null` when it is absent. Throws if the data cannot be stored. */
export function readUserMetadata(fields: Fields, name = 'data'): UserMetadata | null {
  const data = fields[name]
  if (data === undefined || data === null) return null
  const isKept =
    isObject(data) && isStorable(data) && Buffer.byteLength(JSON.stringify(data)) <= userMetadataBytesMax
  if (!isKept) throw new WireError(refusals['too much data'])
  return data
}

/**
 * Checks that `jsonb` can store the value: PostgreSQL refuses NUL and lone surrogates, and deep nesting could exhaust
 * its stack.
 */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000')
  if (typeof value !== 'object' || value === null) return true
  if (depth === dataDepthMax) return false
  const parts: unknown[] = Array.isArray(value) ? value : Object.entries(value).flat()
  return parts.every((part) => isStorable(part, depth + 1))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the device and the network of a new session, which the user's list of sessions shows. */
export function deviceOf(request: FastifyRequest): Device {
  const userAgent = request.headers['user-agent']
  return { userAgent: userAgent?.slice(0, userAgentLengthMax) ?? null, ip: request.ip }
}

/** Returns the user's id from the path. Throws when the id is not a UUID. */
export function userIdOf(request: FastifyRequest): string {
  const { userId } = request.params as { userId: string }
  if (!isUuid(userId)) throw new WireError(authErrors.userIdMalformed)
  return userId
}
