/** Tells people what happened to their second factors: whoever has taken an account over cannot do it unseen. */
import type { FastifyRequest } from 'fastify'
import { type FactorEvent, secondFactorMail } from '#mail/second-factor-mail.ts'
import type { Incident } from '#mail/security-advice.ts'
import { undoAddress } from './links/link-address.ts'
import { incidentOf, noticeOf } from './notice.ts'
import type { EndpointServices } from './services.ts'

/** Sends the notice after the answer. `undoToken`: of the link by which the owner takes back what was added. */
export function noticeFactor(
  services: EndpointServices,
  request: FastifyRequest,
  told: {
    readonly to: string
    readonly event: FactorEvent
    readonly undoToken?: string
    /** Where it is not the request's. */
    readonly incident?: Incident
  },
): void {
  const { afterAnswer, mailer, config } = services
  const { to, event, undoToken, incident = incidentOf(request) } = told
  const notice = noticeOf(services, to, incident)
  const undoLink = undoToken === undefined ? null : undoAddress(config.siteUrl, undoToken)
  afterAnswer.run(() => mailer.send(secondFactorMail({ ...notice, event, undoLink })), request.log)
}
