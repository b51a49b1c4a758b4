/** What a mail about somebody's own account says beside its news: when, on which device, and what to do. */
import type { FastifyRequest } from 'fastify'
import type { Incident, Notice } from '#mail/security-advice.ts'
import { deviceOf } from './device.ts'
import type { EndpointServices } from './services.ts'

/** The request as the mail names it. */
export function incidentOf(request: FastifyRequest): Incident {
  return { at: new Date(), userAgent: deviceOf(request).userAgent }
}

/** A notice to this address. */
export function noticeOf({ config }: EndpointServices, to: string, incident: Incident): Notice {
  const { brandName, siteUrl, supportContact } = config
  return { to, brandName, siteUrl, supportContact, incident }
}
