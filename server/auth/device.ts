import type { FastifyRequest } from 'fastify'
import type { Device } from '#people/session/sessions.ts'

const userAgentLengthMax = 256

/** Returns the device and the network of a new session, which the user's list of sessions shows. */
export function deviceOf(request: FastifyRequest): Device {
  const userAgent = request.headers['user-agent']
  return { userAgent: userAgent?.slice(0, userAgentLengthMax) ?? null, ip: request.ip }
}
