/** `GET /health` (GoTrue, `api/api.go`). Whether the database is there is told by the server's own `/ready`. */
import type { FastifyInstance } from 'fastify'

/** Answers while the surface is there. */
export function addHealth(app: FastifyInstance): void {
  app.get('/health', { config: { isNotShed: true } }, () => ({
    version: 'finanzas',
    name: 'GoTrue',
    description: 'The part of GoTrue that Finanzas uses',
  }))
}
