/**
 * Mails that the database requests: about address changes, about staff actions on a user's access, about events that a
 * customer chose, and about requests that wait for an administrator.
 */
import type { Keys } from '#tokens/keys.ts'
import { addressChangeAddress, pageAddress } from './link-address.ts'
import { type Mail, writeMail } from './mail-page.ts'
import type { Mailer } from './mailer.ts'
import { notificationMail, requestMail } from './notification-mail.ts'
import { type NewsWords, type StaffNews, staffWords } from './staff-words.ts'
import {
  type Notice,
  confirmationMail,
  ifItWasNotYou,
  invitationMail,
  moment,
  tellTheBank,
  whenAndWhere,
} from './templates.ts'

type AccessEvent =
  /** Time at which the block ends; `null` for a permanent block. */
  | { readonly kind: 'blocked'; readonly until: Date | null; readonly isOwnWish: boolean }
  | { readonly kind: 'unblocked' | 'sessions ended' | 'factors reset' | 'promoted' | 'demoted' | 'deleted' }
  | {
      readonly kind: 'address change'
      readonly newEmail: string
      readonly countsAt: Date
      readonly seed: string
    }
  | { readonly kind: 'address to confirm'; readonly countsAt: Date; readonly seed: string }
  | { readonly kind: 'many sessions' | 'data corrected' }
  | { readonly kind: 'address changed'; readonly newEmail: string }
  | { readonly kind: 'address change cancelled' }

/** A notice in the form that `auth.enqueue_notice` stores. */
export type AccessNotice = {
  readonly to: string
  /** Name of the action in the audit log. */
  readonly action: string
  readonly after: Readonly<Record<string, string | null>> | null
  /** ISO 8601. */
  readonly at: string
  /**
   * Set only in a mail to an administrator: the origin and the actor of the action, and the user concerned
   * (`private.enqueue_staff_notices`).
   */
  readonly about?: StaffNews['about']
}

/** The mailer and the settings that all mails from a bank share. */
export type AccessMailer = {
  readonly mailer: Mailer
  readonly config: {
    readonly siteUrl: string
    readonly brandName: string
    readonly supportContact: string
  }
}

/**
 * Writes a mail about a change of access, about waiting requests or about events. The recipient is the user, an
 * administrator or a customer. Derives the links in the mail from `keys`.
 */
export function accessMail(
  config: AccessMailer['config'] & { readonly keys: Pick<Keys, 'links'> },
  { to, action, after, at, about }: AccessNotice,
): Mail {
  // The mail does not name a browser, because the action did not come from the user's browser.
  const notice = { ...config, to, incident: { at: new Date(at), userAgent: null } }
  if (action === 'tell_customer') return notificationMail(notice, after ?? {})
  if (action === 'tell_administrator') return requestMail(notice, after?.['seed'] ?? '')
  const { subject, happened, next, closing }: AccessWords =
    about === undefined
      ? accessWords({ ...notice, event: eventOf(action, after) })
      : staffWords(notice, { action, after, about })
  return writeMail(notice, {
    subject,
    paragraphs: [happened, whenAndWhere(notice)],
    next: next ?? null,
    closing,
  })
}

/** Throws for an action about which no mail is sent. */
function eventOf(action: string, after: AccessNotice['after']): AccessEvent {
  switch (action) {
    case 'ban_user':
      return {
        kind: 'blocked',
        until: endOfBlock(after?.['banned_until'] ?? null),
        // The mail states the reason for a block only if the customer requested the block.
        isOwnWish: after?.['reason'] === 'customer_request',
      }
    case 'unban_user':
      return { kind: 'unblocked' }
    case 'revoke_sessions':
      return { kind: 'sessions ended' }
    case 'reset_factor':
      return { kind: 'factors reset' }
    case 'change_role':
      return { kind: after?.['role'] === 'admin' ? 'promoted' : 'demoted' }
    case 'delete_user':
      return { kind: 'deleted' }
    case 'begin_email_change':
      return { kind: 'address change', newEmail: after?.['email'] ?? '', ...waitOf(after) }
    case 'confirm_email_change':
      return { kind: 'address to confirm', ...waitOf(after) }
    case 'correct_holder':
      return { kind: 'data corrected' }
    case 'many_sessions':
      return { kind: 'many sessions' }
    case 'set_email':
      return { kind: 'address changed', newEmail: after?.['email'] ?? '' }
    case 'cancel_email_change':
      return { kind: 'address change cancelled' }
    default:
      throw new Error(`There are no words for ${action}.`)
  }
}

function waitOf(after: AccessNotice['after']) {
  return { seed: after?.['seed'] ?? '', countsAt: new Date(after?.['counts_at'] ?? Number.NaN) }
}

/** For a permanent block, the database stores a date in a hundred years (`private.block_user`). */
function endOfBlock(until: string | null): Date | null {
  const end = new Date(until ?? Number.NaN)
  const isForGood = Number.isNaN(end.getTime()) || end.getTime() > Date.now() + 50 * 365.25 * 86_400_000
  return isForGood ? null : end
}

/** Mails a confirmation or an invitation with a new token. Throws if the mail cannot be sent or stored. */
export function mailWaitingLink(
  { mailer, config: { siteUrl, brandName } }: AccessMailer,
  link: {
    readonly to: string
    readonly type: 'signup' | 'invite'
    readonly token: string
    /** Lifetime of an invitation, in words; by default a day. */
    readonly life?: string
  },
): Promise<void> {
  const { to, type, token, life } = link
  const letter = { to, brandName, link: pageAddress(siteUrl, { type, token }) }
  return mailer.send(type === 'signup' ? confirmationMail(letter) : invitationMail(letter, life))
}

type AccessWords = NewsWords & {
  /** A link to follow, if the mail has one. */
  readonly next?: { readonly link: string; readonly button: string }
}

function accessWords(
  notice: Notice & { readonly event: AccessEvent; readonly keys: Pick<Keys, 'links'> },
): AccessWords {
  const { event, brandName, siteUrl, supportContact, keys } = notice
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
    case 'data corrected':
      return {
        subject: `Corregimos tus datos en ${brandName}`,
        happened: `${brandName} corrigió tu nombre, tu documento o tu teléfono. En ${siteUrl}, «Descargar mis datos» muestra qué cambió.`,
        closing: `Si algo no está bien, habla con ${theBank}`,
      }
    case 'promoted':
      return {
        subject: `Ahora eres administrador de ${brandName}`,
        happened: `${brandName} le dio a tu cuenta el rol de administrador. Los enlaces y códigos que te habíamos enviado ya no sirven.`,
        closing: `Si no lo esperabas, habla con ${theBank}`,
      }
    case 'demoted':
      return {
        subject: `Ya no eres administrador de ${brandName}`,
        happened: `${brandName} le quitó a tu cuenta el rol de administrador y cerró todas tus sesiones. Puedes entrar otra vez como cliente.`,
        closing: unexpected,
      }
    case 'deleted':
      return {
        subject: `Eliminamos tu cuenta de ${brandName}`,
        happened: `${brandName} eliminó tu cuenta y cerró todas tus sesiones.`,
        closing: `Para saber por qué, habla con ${theBank}`,
      }
    case 'address change': {
      const { newEmail, seed } = event
      return {
        subject: `Vamos a cambiar el email de tu cuenta en ${brandName}`,
        happened: `${brandName} pidió cambiar el email de tu cuenta por ${newEmail}. El cambio empieza a valer el ${moment(event.countsAt)}, si antes alguien lo confirma desde ${newEmail}; o cuando lo aceptes tú, con tu contraseña. Si no lo pediste, cancélalo con este enlace antes de esa fecha.`,
        next: {
          link: addressChangeAddress(siteUrl, keys, { link: 'cancel', seed }),
          button: 'Cancelar el cambio',
        },
        closing: `Si no lo pediste, habla también con ${theBank}`,
      }
    }
    case 'address to confirm':
      return {
        subject: `Confirma que este email es tuyo en ${brandName}`,
        happened: `${brandName} pidió que una cuenta use este email. Si es la tuya, confírmalo con este enlace antes del ${moment(event.countsAt)}. El enlace no abre la cuenta: el cambio empieza a valer ese día, o antes si lo aceptas en tu perfil con tu contraseña.`,
        next: {
          link: addressChangeAddress(siteUrl, keys, { link: 'confirm', seed: event.seed }),
          button: 'Confirmar este email',
        },
        closing: 'Si no lo esperabas, ignora este correo: la cuenta se queda como está.',
      }
    case 'many sessions':
      return {
        subject: `Tu cuenta de ${brandName} tiene muchas sesiones abiertas`,
        happened: `Tu cuenta de ${brandName} tiene 20 sesiones abiertas o más. Al pasar de 50 cerramos las más antiguas. En tu perfil, en «Dispositivos y contraseña», puedes verlas y cerrarlas.`,
        closing: ifItWasNotYou(notice),
      }
    case 'address changed':
      return {
        subject: `El email de tu cuenta en ${brandName} cambió`,
        happened: `Desde ahora entras a tu cuenta de ${brandName} con ${event.newEmail}. Este email ya no sirve para entrar.`,
        closing: `Si no lo pediste, habla ya con ${theBank}`,
      }
    case 'address change cancelled':
    default:
      return {
        subject: `Cancelamos el cambio de email de tu cuenta en ${brandName}`,
        happened: `${brandName} canceló el cambio de email que esperaba en tu cuenta. Sigues entrando con este email.`,
        closing: unexpected,
      }
  }
}
