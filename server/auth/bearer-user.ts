/** Who is signed in, of the endpoints that are for signed-in users. */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import type { FastifyRequest } from 'fastify'
import { readBearer } from '#http/bearer.ts'
import { WireError } from '#http/wire-error.ts'
import { readCaller } from '#tokens/caller.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import { authErrors } from './errors.ts'

/**
 * The claims of the request's token. That its session is alive is checked where the claims are used,
 * in the same batch. Throws `no_authorization` and `bad_jwt`.
 */
export async function requireUser(request: FastifyRequest, key: TokenKey): Promise<AccessTokenClaims> {
  const bearer = readBearer(request)
  if (bearer === null) throw new WireError(authErrors.noAuthorization)
  const verdict = await readCaller(key, bearer, 'anon')
  if (!verdict.ok) throw badToken(verdict.message)
  if (verdict.caller.role !== 'authenticated') throw new WireError(authErrors.missingSub)
  return verdict.caller.claims
}

/** The refusal of a token, with what is wrong with it. */
export function badToken(why: string): WireError {
  return new WireError({ ...authErrors.badJwt, message: `${authErrors.badJwt.message}, ${why}` })
}
