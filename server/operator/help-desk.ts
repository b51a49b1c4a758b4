/** `npm run admin`: what a help desk does with the access of one person. The person is told by mail. */
import type { BlockReason } from '@finanzas/contract/functions.ts'
import { sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import {
  type WaitingLink,
  forgetFactorsEnd,
  requestAddressFor,
  storeWaitingLink,
} from '#identity/staff-access.ts'
import { type AccessPost, mailAddressChange, mailWaitingLink } from '#mail/access-mail.ts'
import { type CommandContext, CommandRefused } from './command.ts'
import { actOn, addressOf } from './person.ts'

type Target = { readonly email: string }

/** Each throws `CommandRefused`. */
export const helpDeskCommands = {
  'admin-block': block,
  'admin-unblock': (context: CommandContext, target: Target) => act(context, target, 'unblock_user'),
  'admin-revoke': (context: CommandContext, target: Target) => act(context, target, 'end_sessions'),
  'admin-reset-factor': (context: CommandContext, target: Target) => act(context, target, 'reset_factor'),
  'admin-resend': resend,
  'admin-change-email': changeEmail,
}

const effects = {
  unblock_user: (id: string) => [sql`select private.unblock_user(${id})`],
  end_sessions: (id: string) => [sql`select private.end_sessions(${id})`],
  reset_factor: (id: string) => [sql`select private.reset_factor(${id})`, forgetFactorsEnd(id)],
} as const

async function act(context: CommandContext, target: Target, effect: keyof typeof effects): Promise<void> {
  await actOn(context, addressOf(target.email), effects[effect])
  await tell(context)
}

/** The database has put what the person is told into the queue; without a server it waits for the next one. */
async function tell(context: CommandContext): Promise<void> {
  ;(await context.mailer()).deliverSoon()
}

/** `hours` is `null` for good. Answers until when, ISO 8601. */
async function block(
  context: CommandContext,
  { hours, reason, ...target }: Target & { readonly hours: number | null; readonly reason: BlockReason },
): Promise<{ until: string | null }> {
  await actOn(context, addressOf(target.email), (id) => [
    sql`select private.block_user(${id}, ${hours}::integer, ${reason})`,
  ])
  const until = hours === null ? null : new Date(Date.now() + hours * 3_600_000)
  await tell(context)
  return { until: until?.toISOString() ?? null }
}

/** Answers what was sent. */
async function resend(context: CommandContext, target: Target): Promise<Pick<WaitingLink, 'type'>> {
  const post = await postOf(context)
  const token = newOneTimeToken()
  const [link] = await actOn(context, addressOf(target.email), (id) => [
    sql`select private.begin_link_mail(${id})`,
    storeWaitingLink(id, token),
  ])
  const { email: to, type } = link as WaitingLink
  await mailWaitingLink(post, { to, type, token })
  return { type }
}

async function changeEmail(
  context: CommandContext,
  target: Target & { readonly newEmail: string },
): Promise<void> {
  const [email, newEmail] = [addressOf(target.email), addressOf(target.newEmail)]
  const [taken] = await context.database.transaction(asService('supabase_auth_admin', 'read'), [
    sql`select from auth.users u where u.email = ${newEmail}`,
  ])
  if (taken.length > 0) throw new CommandRefused(`${newEmail} ya tiene una cuenta.`)
  const post = await postOf(context)
  const token = newOneTimeToken()
  await actOn(context, email, (id) => [
    ...requestAddressFor(id, { email: newEmail, token }),
    sql`select private.record_audit('begin_email_change', ${id}, null, null)`,
  ])
  await tell(context)
  await mailAddressChange(post, { newEmail, token })
}

/** Before the effect: a mail that could not be sealed keeps it from happening. */
async function postOf({ config, mailer }: CommandContext): Promise<AccessPost> {
  return { config, mailer: await mailer() }
}
