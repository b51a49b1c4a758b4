/** The `Authorization: Bearer …` header (RFC 6750). */
import type { FastifyRequest } from 'fastify'

/** The bearer's token, or `null` when there is none. */
export function readBearer(request: FastifyRequest): string | null {
  const match = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}
