/** Mails to a person about what the bank's staff did with their access. */
import { pageAddress } from './link-address.ts'
import { type Mail, writeMail } from './mail-page.ts'
import type { Mailer } from './mailer.ts'
import {
  type Notice,
  confirmationMail,
  emailChangeMail,
  invitationMail,
  moment,
  tellTheBank,
  whenAndWhere,
} from './templates.ts'

type AccessEvent =
  /** Until when; `null` is for good. */
  | { readonly kind: 'blocked'; readonly until: Date | null; readonly isOwnWish: boolean }
  | { readonly kind: 'unblocked' | 'sessions ended' | 'factors reset' }
  | { readonly kind: 'address change'; readonly newEmail: string }

/** As `auth.enqueue_notice` writes it. */
export type AccessNotice = {
  readonly to: string
  /** As the audit names it. */
  readonly action: string
  readonly after: Readonly<Record<string, string | null>> | null
  /** ISO 8601. */
  readonly at: string
}

/** What the mails of a bank need besides their news. */
export type AccessPost = {
  readonly mailer: Mailer
  readonly config: {
    readonly siteUrl: string
    readonly brandName: string
    readonly supportContact: string
  }
}

/** To the person whose access it is. */
export function accessMail(config: AccessPost['config'], { to, action, after, at }: AccessNotice): Mail {
  // Nothing of the person's own browser caused it.
  const notice = { ...config, to, incident: { at: new Date(at), userAgent: null } }
  const { subject, happened, closing } = accessWords({ ...notice, event: eventOf(action, after) })
  return writeMail(notice, {
    subject,
    paragraphs: [happened, whenAndWhere(notice)],
    next: null,
    closing,
  })
}

/** Throws for an action that no mail tells of. */
function eventOf(action: string, after: AccessNotice['after']): AccessEvent {
  switch (action) {
    case 'ban_user':
      return {
        kind: 'blocked',
        until: endOfBlock(after?.['banned_until'] ?? null),
        // Of the other reasons a bank says nothing in a mail.
        isOwnWish: after?.['reason'] === 'customer_request',
      }
    case 'unban_user':
      return { kind: 'unblocked' }
    case 'revoke_sessions':
      return { kind: 'sessions ended' }
    case 'reset_factor':
      return { kind: 'factors reset' }
    case 'begin_email_change':
      return { kind: 'address change', newEmail: after?.['email'] ?? '' }
    default:
      throw new Error(`There are no words for ${action}.`)
  }
}

/** A hundred years are the database's word for good (`private.block_user`). */
function endOfBlock(until: string | null): Date | null {
  const end = new Date(until ?? Number.NaN)
  const isForGood = Number.isNaN(end.getTime()) || end.getTime() > Date.now() + 50 * 365.25 * 86_400_000
  return isForGood ? null : end
}

/** A confirmation or an invitation, by a new token. Throws when the mail is not taken. */
export function mailWaitingLink(
  { mailer, config: { siteUrl, brandName } }: AccessPost,
  link: { readonly to: string; readonly type: 'signup' | 'invite'; readonly token: string },
): Promise<void> {
  const letter = { to: link.to, brandName, link: pageAddress(siteUrl, link) }
  return mailer.send(link.type === 'signup' ? confirmationMail(letter) : invitationMail(letter))
}

/** The link to the next address, by which the change counts. Throws when the mail is not taken. */
export function mailAddressChange(
  { mailer, config }: AccessPost,
  { newEmail, token }: { readonly newEmail: string; readonly token: string },
): Promise<void> {
  const link = pageAddress(config.siteUrl, { token, type: 'email_change' })
  const incident = { at: new Date(), userAgent: null }
  return mailer.send(emailChangeMail({ ...config, to: newEmail, incident, link, newEmail }))
}

type AccessWords = { readonly subject: string; readonly happened: string; readonly closing: string }

function accessWords(notice: Notice & { event: AccessEvent }): AccessWords {
  const { event, brandName, siteUrl, supportContact } = notice
  const theBank = supportContact === '' ? 'el banco.' : `el banco: ${supportContact}.`
  const unexpected = `Si no sabes por qué, habla con ${theBank}`
  switch (event.kind) {
    case 'blocked':
      return {
        subject: `Bloqueamos tu cuenta de ${brandName}`,
        happened: `${brandName} bloqueó tu cuenta ${event.until === null ? 'hasta nuevo aviso' : `hasta el ${moment(event.until)}`} y cerró todas tus sesiones${event.isOwnWish ? ', como lo pediste' : ''}. Tu saldo y tus movimientos siguen como estaban.`,
        closing: event.isOwnWish
          ? `Si no lo pediste, o para desbloquearla, habla con ${theBank}`
          : `Para saber por qué, habla con ${theBank}`,
      }
    case 'unblocked':
      return {
        subject: `Tu cuenta de ${brandName} está desbloqueada`,
        happened: `${brandName} desbloqueó tu cuenta. Ya puedes iniciar sesión en ${siteUrl}.`,
        closing: unexpected,
      }
    case 'sessions ended':
      return {
        subject: `Cerramos tus sesiones en ${brandName}`,
        happened: `${brandName} cerró todas las sesiones de tu cuenta. Para entrar otra vez, inicia sesión en ${siteUrl} con tu contraseña.`,
        closing: unexpected,
      }
    case 'factors reset':
      return {
        subject: `Quitamos la verificación en dos pasos de tu cuenta en ${brandName}`,
        happened: `${brandName} quitó la verificación en dos pasos de tu cuenta y cerró todas tus sesiones. Desde ahora entras solo con tu contraseña; puedes activarla otra vez en tu perfil.`,
        closing: `Si no se lo pediste al banco: abre ${siteUrl}, elige «¿Olvidaste tu contraseña?» y crea otra. ${tellTheBank(supportContact)}`,
      }
    case 'address change':
    default:
      return {
        subject: `Vamos a cambiar el email de tu cuenta en ${brandName}`,
        happened: `${brandName} pidió cambiar el email de tu cuenta por ${event.newEmail}. El cambio vale cuando se abra el enlace que enviamos allí, en los próximos 60 minutos.`,
        closing: `Si no lo pediste, habla ya con ${theBank}`,
      }
  }
}
