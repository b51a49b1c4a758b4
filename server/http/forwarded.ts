/** A proxy that nobody told the server about: everybody behind it would be one address, with one address's limits. */
import type { FastifyInstance } from 'fastify'
import { logEvent } from './events.ts'

/** Says once that `X-Forwarded-For` arrives and is not believed. For a server without `TRUST_PROXY`. */
export function warnOfForwarded(app: FastifyInstance): void {
  let isSaid = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true
      logEvent(request.log, 'X-Forwarded-For arrives, and TRUST_PROXY is not set')
    }
    done()
  })
}
