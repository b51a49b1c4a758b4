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

export type AccessEvent =
  /** Until when; `null` is for good. */
  | { readonly kind: 'blocked'; readonly until: Date | null }
  | { readonly kind: 'unblocked' | 'sessions ended' | 'factors reset' }
  | { readonly kind: 'address change'; readonly newEmail: string }

/** What the mails of a bank need besides their news. */
export type AccessPost = {
  readonly mailer: Mailer
  readonly config: {
    readonly siteUrl: string
    readonly brandName: string
    readonly supportContact: string
  }
}

/** To the person whose access it is. Throws when the mail is not taken. */
export function noticeAccess(post: AccessPost, to: string, event: AccessEvent): Promise<void> {
  return post.mailer.send(accessMail({ ...noticeTo(post, to), event }))
}

/** A confirmation or an invitation, by a new token. Throws when the mail is not taken. */
export function mailWaitingLink(
  { mailer, config: { siteUrl, brandName } }: AccessPost,
  link: { readonly to: string; readonly type: 'signup' | 'invite'; readonly token: string },
): Promise<void> {
  const letter = { to: link.to, brandName, link: pageAddress(siteUrl, link) }
  return mailer.send(link.type === 'signup' ? confirmationMail(letter) : invitationMail(letter))
}

/** The link to the next address, by which the change counts, and the news to the present one. Throws when a mail is not taken. */
export async function mailAddressChange(
  post: AccessPost,
  change: { readonly email: string; readonly newEmail: string; readonly token: string },
): Promise<void> {
  const { email, newEmail, token } = change
  const link = pageAddress(post.config.siteUrl, { token, type: 'email_change' })
  await post.mailer.send(emailChangeMail({ ...noticeTo(post, newEmail), link, newEmail }))
  await noticeAccess(post, email, { kind: 'address change', newEmail })
}

function noticeTo({ config }: AccessPost, to: string): Notice {
  // Nothing of the person's own browser caused it.
  return { ...config, to, incident: { at: new Date(), userAgent: null } }
}

/** `at` of the incident is when staff did it. */
function accessMail(notice: Notice & { readonly event: AccessEvent }): Mail {
  const { subject, happened, closing } = accessWords(notice)
  return writeMail(notice, {
    subject,
    paragraphs: [happened, whenAndWhere(notice)],
    next: null,
    closing,
  })
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
        happened: `${brandName} bloqueó tu cuenta ${event.until === null ? 'hasta nuevo aviso' : `hasta el ${moment(event.until)}`} y cerró todas tus sesiones. Tu saldo y tus movimientos siguen como estaban.`,
        closing: `Para saber por qué, habla con ${theBank}`,
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
