/** Reads the caller of a request from its API key and its access token. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiKeyRole, readApiKey, readBearer } from '#http/credentials.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import { type Caller, readCaller } from '#tokens/caller.ts'
import { restErrors } from './errors.ts'

export type CallerServices = { readonly tokenKey: TokenKey; readonly apiKeys: AcceptedApiKeys }

/**
 * Returns the caller. Without a valid API key, answers 401 as a hosted project's gateway does, and returns `null`.
 * Throws `WireError` if the token is invalid.
 */
export async function callerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { tokenKey, apiKeys }: CallerServices,
): Promise<Caller | null> {
  const apiKey = readApiKey(request, apiKeys)
  if (apiKey.ok) return identify(request, tokenKey, apiKey.role)
  void reply.code(401).send({ message: apiKey.message, hint: apiKey.hint })
  return null
}

async function identify(
  request: FastifyRequest,
  tokenKey: TokenKey,
  apiKeyRole: ApiKeyRole,
): Promise<Caller> {
  const bearer = readBearer(request)
  if (bearer === null && /^bearer *$/i.test(request.headers.authorization ?? ''))
    throw restErrors.tokenInvalid('Empty JWT is sent in Authorization header')
  const verdict = await readCaller(tokenKey, bearer, apiKeyRole)
  if (verdict.ok) return verdict.caller
  switch (verdict.reason) {
    case 'expired':
      throw restErrors.tokenClaims('JWT expired')
    case 'claims':
      throw restErrors.tokenClaims(claimsMessage(verdict.message))
    case 'signature':
      throw restErrors.tokenInvalid(
        'No suitable key or wrong key type',
        'None of the keys was able to decode the JWT',
      )
    case 'malformed': {
      const parts = bearer?.split('.') ?? []
      if (parts.length !== 3) throw restErrors.tokenInvalid(`Expected 3 parts in JWT; got ${parts.length}`)
      throw isUnsigned(parts[0]) ? restErrors.tokenUnsigned() : restErrors.tokenUnreadable()
    }
    default:
      throw verdict.reason satisfies never
  }
}

/** Checks whether a token's header says that the token has no signature. */
function isUnsigned(header = ''): boolean {
  try {
    return (
      (JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: unknown } | null)?.alg === 'none'
    )
  } catch {
    return false
  }
}

/** Returns upstream's message for a token with invalid claims, for example an `nbf` or `iat` in the future. */
function claimsMessage(message: string): string {
  if (message.startsWith('"nbf"')) return 'JWT not yet valid'
  return message.startsWith('"iat"') ? 'JWT issued at future' : 'JWT claims invalid'
}
