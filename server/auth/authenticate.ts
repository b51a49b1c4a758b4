/** Credentials that an endpoint requires: the project's API key, a user's access token or the service key. */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import type { FastifyRequest, onRequestHookHandler, preHandlerAsyncHookHandler } from 'fastify'
import { readApiKey, readBearer } from '#http/credentials.ts'
import { WireError } from '#http/wire-error.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import { type Caller, readCaller } from '#tokens/caller.ts'
import { authErrors } from './errors.ts'
import type { AuthServices } from './services.ts'

/** Answers 401 to a request without a valid API key, in the format of the hosted platform's gateway. */
export function requireApiKey(keys: AcceptedApiKeys): onRequestHookHandler {
  return (request, reply, done) => {
    const verdict = readApiKey(request, keys)
    if (verdict.ok) done()
    else void reply.code(401).send({ message: verdict.message, hint: verdict.hint })
  }
}

/**
 * Returns the claims of the request's token. Does not check whether the session has ended, because the endpoint's next
 * database batch checks this. Throws `no_authorization` or `bad_jwt`.
 */
export async function requireUser(request: FastifyRequest, key: TokenKey): Promise<AccessTokenClaims> {
  const caller = await readBearerCaller(request, key, 'anon')
  if (caller.role !== 'authenticated') throw new WireError(authErrors.missingSub)
  return caller.claims
}

/**
 * Admits only requests that send the service key both as the API key and as the bearer token. Throws `no_authorization`
 * or `bad_jwt`. For signed-in users, including the bank's administrators, throws `not_admin`.
 */
export function requireService({ apiKeys, tokenKey }: AuthServices): preHandlerAsyncHookHandler {
  return async (request) => {
    const apiKey = readApiKey(request, apiKeys)
    const caller = await readBearerCaller(request, tokenKey, apiKey.ok ? apiKey.role : 'anon')
    if (caller.role !== 'service_role') throw new WireError(authErrors.notAdmin)
  }
}

async function readBearerCaller(
  request: FastifyRequest,
  key: TokenKey,
  apiKeyRole: 'anon' | 'service_role',
): Promise<Caller> {
  const bearer = readBearer(request)
  if (bearer === null) throw new WireError(authErrors.noAuthorization)
  const verdict = await readCaller(key, bearer, apiKeyRole)
  if (verdict.ok) return verdict.caller
  const { badJwt } = authErrors
  throw new WireError({ ...badJwt, message: `${badJwt.message}, ${verdict.message}` })
}
