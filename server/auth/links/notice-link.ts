/**
 * Links in notices. A link of this kind has an effect but does not open a session. A token of `type: recovery` removes
 * a second factor that was just added (docs/decisions/0044), and a token of `type: email_change` confirms or cancels an
 * address change that the bank requested (0060). A token of `type: email` stops one kind of notice (0069).
 */
import type { FastifyRequest } from 'fastify'
import type { AuthServices } from '#auth/services.ts'
import { logEvent } from '#http/events.ts'
import { answerAddressChange } from '#people/email-change.ts'
import { undoFactor } from '#people/factor/factor-end.ts'
import { stopNotices } from '#people/stop-notices.ts'

const stoppedMessage = 'Notices of this kind stopped.'
const undoneMessage = 'Second factor removed. Every session has ended.'
const addressChangeMessages = {
  confirmed: 'Address confirmed. It counts with a proof of its owner, or after a wait.',
  cancelled: 'Change of address cancelled.',
} as const
/**
 * Carries out the action of a link in a notice, without opening a session. Returns `null` if the token does not belong
 * to a notice.
 */
export async function answerNotice(
  { log }: FastifyRequest,
  { database, keys, mailer }: AuthServices,
  { type, token }: { type: string | null; token: string },
): Promise<string | null> {
  if (type === 'recovery') {
    const userId = await undoFactor(database, token)
    if (userId === null) return null
    logEvent(log, 'second factor removed', { userId, factor: 'undone' })
    return undoneMessage
  }
  if (type === 'email') {
    const stopped = await stopNotices(database, keys, token)
    if (stopped === null) return null
    logEvent(log, 'notices stopped', stopped)
    return stoppedMessage
  }
  const answer = type === 'email_change' ? await answerAddressChange(database, token) : null
  if (answer === null) return null
  const { outcome, userId } = answer
  logEvent(log, 'change of address answered', { userId, outcome })
  mailer.deliverSoon()
  return addressChangeMessages[outcome]
}
