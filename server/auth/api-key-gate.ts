/** The gateway's part: no endpoint is reached without the project's key (wire-contract §0). */
import type { onRequestHookHandler } from 'fastify'
import { readApiKey } from '#http/api-key.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'

/** A hook that answers 401, in the gateway's own shape, to a request without a valid key. */
export function requireApiKey(keys: AcceptedApiKeys): onRequestHookHandler {
  return (request, reply, done) => {
    const verdict = readApiKey(request, keys)
    if (verdict.ok) done()
    else void reply.code(401).send({ message: verdict.message, hint: verdict.hint })
  }
}
