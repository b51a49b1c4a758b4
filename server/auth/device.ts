import type { FastifyRequest } from 'fastify'
import type { Device } from '#identity/session/sessions.ts'

const userAgentLengthMax = 256

/** Where a session is opened from, for the list of a user's sessions. */
export function deviceOf(request: FastifyRequest): Device {
  const userAgent = request.headers['user-agent']
  return { userAgent: userAgent?.slice(0, userAgentLengthMax) ?? null, ip: request.ip }
}
