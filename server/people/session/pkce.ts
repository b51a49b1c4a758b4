/** PKCE (RFC 7636): a link opens a session only together with the verifier in the browser that requested the link. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** The challenge that a client sends when it requests a link. The client sends the verifier later. */
export type CodeChallenge = { readonly challenge: string; readonly method: 's256' | 'plain' }

// RFC 7636, 4.1 and 4.2.
const shape = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * Reads a challenge of 43 to 128 characters; the method defaults to `plain`. Returns `null` when the challenge is
 * invalid.
 */
export function readCodeChallenge(challenge: string, method: string | null): CodeChallenge | null {
  const named = (method ?? 'plain').toLowerCase()
  if (!shape.test(challenge) || (named !== 's256' && named !== 'plain')) return null
  return { challenge, method: named }
}

/** Returns true if the challenge was computed from this verifier. */
export function answersChallenge(verifier: string, { challenge, method }: CodeChallenge): boolean {
  const made = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  const a = Buffer.from(made)
  const b = Buffer.from(challenge)
  return a.length === b.length && timingSafeEqual(a, b)
}
