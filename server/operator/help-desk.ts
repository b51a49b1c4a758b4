/** `npm run admin`: help desk actions that change one user's access. The user gets a mail about each change. */
import type { BlockReason } from '@finanzas/contract/database-types.ts'
import { sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { newOneTimeToken } from '#people/one-time-tokens.ts'
import { type WaitingLink, addressMac, beginAddressChange, storeWaitingLink } from '#people/staff-access.ts'
import { type NoticeMailer, mailWaitingLink } from '#mail/notice-mail.ts'
import { type CommandContext, CommandRefused } from './command.ts'
import { actOn, addressOf } from './person.ts'

type Target = { readonly email: string }

/** Each command throws `CommandRefused`. */
export const helpDeskCommands = {
  'admin-block': block,
  'admin-unblock': (context: CommandContext, target: Target) =>
    runAccessAction(context, target, 'unblock_user'),
  'admin-revoke': (context: CommandContext, target: Target) =>
    runAccessAction(context, target, 'end_sessions'),
  'admin-reset-factor': (context: CommandContext, target: Target) =>
    runAccessAction(context, target, 'reset_factor'),
  'admin-resend': resend,
  'admin-change-email': changeEmail,
  'admin-show-email-change': showEmailChange,
  'admin-cancel-email-change': cancelEmailChange,
}

const effects = {
  unblock_user: (id: string) => [sql`select private.unblock_user(${id})`],
  end_sessions: (id: string) => [sql`select private.end_sessions(${id})`],
  reset_factor: (id: string) => [sql`select private.reset_factor(${id})`],
} as const

async function runAccessAction(
  context: CommandContext,
  target: Target,
  effect: keyof typeof effects,
): Promise<void> {
  await actOn(context, addressOf(target.email), effects[effect])
  await sendNotice(context)
}

/** Sends the notice that the database has queued. If no server is running, the notice waits until a server starts. */
async function sendNotice(context: CommandContext): Promise<void> {
  ;(await context.mailer()).deliverSoon()
}

/** Blocks a user; `hours` is `null` for a permanent block. Returns the time at which the block ends, in ISO 8601. */
async function block(
  context: CommandContext,
  { hours, reason, ...target }: Target & { readonly hours: number | null; readonly reason: BlockReason },
): Promise<{ until: string | null }> {
  await actOn(context, addressOf(target.email), (id) => [
    sql`select private.block_user(${id}, ${hours}::integer, ${reason})`,
  ])
  const until = hours === null ? null : new Date(Date.now() + hours * 3_600_000)
  await sendNotice(context)
  return { until: until?.toISOString() ?? null }
}

/** Mails a new confirmation or invitation. Returns the type of the link in the mail. */
async function resend(context: CommandContext, target: Target): Promise<Pick<WaitingLink, 'type'>> {
  const mailer = await accessMailerOf(context)
  const token = newOneTimeToken()
  const [link] = await actOn(context, addressOf(target.email), (id) => [
    sql`select private.record_link_mail(${id})`,
    storeWaitingLink(id, token),
  ])
  const { email: to, type } = link as WaitingLink
  await mailWaitingLink(mailer, { to, type, token })
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
  const keys = await context.keys()
  await actOn(context, email, (id) => [
    beginAddressChange(keys, { userId: id, email: newEmail }),
    sql`select private.record_email_change(${id}, ${addressMac(keys, newEmail)})`,
  ])
  await sendNotice(context)
}

/** The result of `auth.waiting_address_change`; times are ISO 8601. */
type WaitingEmailChange = {
  readonly email: string
  readonly begun_at: string
  /**
   * Time at which the change takes effect if the user has not accepted it before; `null` if the user requested the
   * change.
   */
  readonly counts_at: string | null
  readonly is_confirmed: boolean
}

async function showEmailChange(
  context: CommandContext,
  target: Target,
): Promise<{ waiting: WaitingEmailChange | null }> {
  const [row] = await actOn(context, addressOf(target.email), (id) => [
    sql`select auth.waiting_address_change(${id}) as waiting`,
  ])
  return row as { waiting: WaitingEmailChange | null }
}

async function cancelEmailChange(context: CommandContext, target: Target): Promise<void> {
  const [row] = await actOn(context, addressOf(target.email), (id) => [
    sql`select private.cancel_email_change(${id}) as was_waiting`,
  ])
  const { was_waiting: wasWaiting } = row as { was_waiting: boolean }
  if (!wasWaiting) throw new CommandRefused('No hay ningún cambio de email en espera.')
  await sendNotice(context)
}

/** Opens the mailer first, so that the command changes nothing if it cannot send mails. */
async function accessMailerOf({ config, mailer }: CommandContext): Promise<NoticeMailer> {
  return { config, mailer: await mailer() }
}
