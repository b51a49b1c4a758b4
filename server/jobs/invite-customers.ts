/**
 * Invites the customers whose accounts were opened from a file. The operator sets the number of invitations per hour,
 * so that the mail provider does not receive too many mails at once (docs/decisions/0075). The database chooses the
 * customers, so that several servers together do not exceed this number.
 */
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { newOneTimeToken } from '#people/one-time-tokens.ts'
import { storeWaitingLink } from '#people/staff-access.ts'
import { type NoticeMailer, mailWaitingLink } from '#mail/notice-mail.ts'

/** The interval of the job *invite* in `private.jobs`. */
const intervalMs = 15_000
/** Lifetime of the links in invitations. Many customers do not expect the mail, and may open it days later. */
const linkLifeDays = 7

type Options = NoticeMailer & { readonly database: Database; readonly perHour: number }

/** Invites the customers of one interval. A crash may cause a second mail but never a missing mail. */
export async function inviteSome({ database, perHour, ...mailer }: Options): Promise<void> {
  const write = <R>(statement: ReturnType<typeof sql<R>>) =>
    database.transaction(asService('supabase_auth_admin', 'write'), [statement])
  // Spreads the invitations of an hour evenly over the intervals.
  const perInterval = Math.ceil((perHour * intervalMs) / 3_600_000)
  const [[claimed]] = await write(
    sql<{ due: { batch: string; line: number; userId: string }[] }>`
      select private.claim_invitations(${perInterval}, ${perHour}) as due`,
  )
  for (const { batch, line, userId } of claimed?.due ?? []) {
    const token = newOneTimeToken()
    const [[link]] = await write(storeWaitingLink(userId, token, { lifeSeconds: linkLifeDays * 24 * 3600 }))
    // The account has been deleted since the database chose the customer.
    if (link === undefined) continue
    const { email: to, type } = link
    await mailWaitingLink(mailer, { to, type, token, life: `${linkLifeDays} días`, invited: userId })
    await write(sql`select private.note_invitation(${batch}, ${line})`)
  }
}
