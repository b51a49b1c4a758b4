/** Request bodies of `/auth/v1`. As in GoTrue, a body is a JSON object, and its content type is ignored. */
import { authBodyBytesMax } from '@finanzas/contract/limits.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError, type WireErrorRow } from '#http/wire-error.ts'
import { authErrors } from './errors.ts'

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
 * Throws `missing` if the request does not name an e-mail address. A request that names a telephone instead gets the
 * error about telephones.
 */
export function requireEmail(fields: Fields, missing: WireErrorRow): void {
  if (readText(fields, 'email') !== null) return
  throw new WireError(readText(fields, 'phone') === null ? missing : authErrors.phoneDisabled)
}

/** Completes a path to a URL that can be parsed. */
const anyOrigin = 'http://localhost'

/**
 * Reads a query parameter; returns `null` when it is absent or empty. If the parameter is repeated, the first value is
 * used.
 */
export function readQuery(request: FastifyRequest, name: string): string | null {
  const value = new URL(request.url, anyOrigin).searchParams.get(name)
  return value === '' ? null : value
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
