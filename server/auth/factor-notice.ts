/** Tells people what happened to their second factors: whoever has taken an account over cannot do it unseen. */
import type { FastifyBaseLogger } from 'fastify'
import { type FactorEvent, secondFactorMail } from '#mail/second-factor-mail.ts'
import type { EndpointServices } from './services.ts'

/** Sends the notice after the answer. */
export function noticeFactor(
  { afterAnswer, mailer, config }: EndpointServices,
  notice: { readonly to: string; readonly event: FactorEvent },
  log: FastifyBaseLogger,
): void {
  afterAnswer.run(() => mailer.send(secondFactorMail({ ...notice, brandName: config.brandName })), log)
}
