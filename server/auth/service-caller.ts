/** The endpoints of the project's operator: for the service key alone, which no browser may hold. */
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { readApiKey } from '#http/api-key.ts'
import { readBearer } from '#http/bearer.ts'
import { WireError } from '#http/wire-error.ts'
import { readCaller } from '#tokens/caller.ts'
import { isUuid } from '#tokens/uuid.ts'
import { badToken } from './bearer-user.ts'
import { authErrors } from './errors.ts'
import type { EndpointServices } from './services.ts'

/**
 * A hook that lets the service key pass, as API key and as bearer. Throws `no_authorization`, `bad_jwt` and,
 * for anybody who is signed in, administrators of the bank included, `not_admin`.
 */
export function requireService({ apiKeys, tokenKey }: EndpointServices): preHandlerAsyncHookHandler {
  return async (request) => {
    const apiKey = readApiKey(request, apiKeys)
    const bearer = readBearer(request)
    if (bearer === null) throw new WireError(authErrors.noAuthorization)
    const verdict = await readCaller(tokenKey, bearer, apiKey.ok ? apiKey.role : 'anon')
    if (!verdict.ok) throw badToken(verdict.message)
    if (verdict.caller.role !== 'service_role') throw new WireError(authErrors.notAdmin)
  }
}

/** The user that the path names. Throws when it is no UUID. */
export function userIdOf(request: FastifyRequest): string {
  const { userId } = request.params as { userId: string }
  if (!isUuid(userId)) throw new WireError(authErrors.userIdMalformed)
  return userId
}
