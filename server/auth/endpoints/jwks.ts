/** `GET /.well-known/jwks.json` (RFC 7517). */
import type { FastifyInstance } from 'fastify'

/** Answers no key: tokens are signed with a shared secret, and the client then asks `GET /user`. */
export function addJwks(app: FastifyInstance): void {
  app.get('/.well-known/jwks.json', () => ({ keys: [] }))
}
