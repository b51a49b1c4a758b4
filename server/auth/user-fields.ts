/** Fields of a body or a path that describe a user: the address, the metadata, the challenge of a link, the id. */
import type { UserMetadata } from '@finanzas/contract/people/claims.ts'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import type { FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { userMetadataBytesMax } from '#people/change-user.ts'
import { readEmail } from '#people/email.ts'
import { type CodeChallenge, readCodeChallenge } from '#people/session/pkce.ts'
import { authErrors, refusals } from './errors.ts'
import { type Fields, isObject, readText } from './request-body.ts'

/** Maximum depth of nested objects and arrays in `data`. */
const dataDepthMax = 16

/** Reads a required e-mail address. Throws if the address is missing or invalid. */
export function readAddress(fields: Fields, name = 'email'): string {
  const email = readEmail(fields[name])
  if (email === null) throw new WireError(authErrors.invalidEmail)
  return email
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

/** Returns the user's id from the path. Throws when the id is not a UUID. */
export function userIdOf(request: FastifyRequest): string {
  const { userId } = request.params as { userId: string }
  if (!isUuid(userId)) throw new WireError(authErrors.userIdMalformed)
  return userId
}
