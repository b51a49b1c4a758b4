/** The mails about an account's security, with details of the request that caused them. */
import { undoLinkType } from '@finanzas/contract/people/mailed-link.ts'
import type { FastifyRequest } from 'fastify'
import { pageAddress } from '#mail/link-address.ts'
import { type FactorEvent, type Incident, type Notice, secondFactorMail } from '#mail/templates.ts'
import { deviceOf } from './device.ts'
import type { AuthServices } from './services.ts'

export function incidentOf(request: FastifyRequest): Incident {
  return { at: new Date(), userAgent: deviceOf(request).userAgent }
}

export function noticeOf({ config }: AuthServices, to: string, incident: Incident): Notice {
  const { brandName, siteUrl, supportContact } = config
  return { to, brandName, siteUrl, supportContact, incident }
}

/**
 * Sends the account's owner a mail about a change to the second factors. `undoToken` is the token for the link that
 * removes the added factor.
 */
export function noticeFactor(
  services: AuthServices,
  request: FastifyRequest,
  news: {
    readonly to: string
    readonly event: FactorEvent
    readonly undoToken?: string
    /** The incident that the mail reports. The default has the time and the browser of the request. */
    readonly incident?: Incident
  },
): void {
  const { backgroundTasks, mailer, config } = services
  const { to, event, undoToken, incident = incidentOf(request) } = news
  const notice = noticeOf(services, to, incident)
  const undoLink =
    undoToken === undefined ? null : pageAddress(config.siteUrl, { token: undoToken, type: undoLinkType })
  backgroundTasks.run(() => mailer.send(secondFactorMail({ ...notice, event, undoLink })), request.log)
}
