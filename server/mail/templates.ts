/**
 * All mails that the bank sends, with one function for each mail. Every mail says how long its link or code is valid. A
 * mail about an account's security names the time and the browser of the event, and the steps that the recipient can
 * take.
 */
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import { deviceName } from '@finanzas/contract/people/device-name.ts'
import { type Addressee, type Mail, writeMail } from './mail-page.ts'

/** A mail with a link. The link's origin is always the configured site. */
export type LinkLetter = Addressee & { readonly link: string }

/** A mail with a six-digit code that the user types in. */
export type CodeLetter = Addressee & { readonly code: string }

/**
 * Time of the event, and the browser in which it happened. The browser is `null` if the event did not happen in a
 * browser of the owner.
 */
export type Incident = { readonly at: Date; readonly userAgent: string | null }

export type Notice = Addressee & {
  readonly siteUrl: string
  /** The bank's contact details in the operator's own words; empty if the operator has not set any. */
  readonly supportContact: string
  readonly incident: Incident
}

export function confirmationMail(letter: LinkLetter): Mail {
  return writeMail(letter, {
    subject: `Confirma tu cuenta en ${letter.brandName}`,
    paragraphs: [
      `Gracias por registrarte en ${letter.brandName}.`,
      'Para activar tu cuenta, abre este enlace, en este o en otro dispositivo. Sirve una sola vez y vence en 24 horas.',
    ],
    next: { link: letter.link, button: 'Confirmar mi cuenta' },
    closing: 'Si no fuiste tú quien se registró, ignora este correo: no pasará nada.',
  })
}

/** Writes an invitation; `life` is the lifetime of its link in words. */
export function invitationMail(letter: LinkLetter, life = '24 horas'): Mail {
  return writeMail(letter, {
    subject: `Te invitaron a ${letter.brandName}`,
    paragraphs: [
      `Abrieron una cuenta para ti en ${letter.brandName}.`,
      `Para aceptarla y elegir tu contraseña, abre este enlace. Sirve una sola vez y vence en ${life}.`,
    ],
    next: { link: letter.link, button: 'Aceptar la invitación' },
    closing: 'Si no la esperabas, ignora este correo: no pasará nada.',
  })
}

/** Writes the mail with a link for a new password. `isByBank` says that an administrator of the bank requested it. */
export function recoveryMail(letter: LinkLetter, isByBank = false): Mail {
  return writeMail(letter, {
    subject: `Restablece tu contraseña de ${letter.brandName}`,
    paragraphs: [
      isByBank
        ? `El banco te envía este enlace para restablecer tu contraseña de ${letter.brandName}.`
        : `Recibimos una solicitud para restablecer tu contraseña de ${letter.brandName}.`,
      'Para elegir una nueva, abre este enlace, en este o en otro dispositivo. Sirve una sola vez y vence en 60 minutos.',
    ],
    next: { link: letter.link, button: 'Elegir una contraseña nueva' },
    closing: 'Si no lo pediste tú, ignora este correo: tu contraseña sigue siendo la misma.',
  })
}

/** Writes the mail with a link and a code. Using the link makes the code invalid, and vice versa. */
export function magicLinkMail(letter: LinkLetter & CodeLetter): Mail {
  return writeMail(letter, {
    subject: `Tu enlace para entrar a ${letter.brandName}`,
    paragraphs: [
      `Recibimos una solicitud para entrar a tu cuenta de ${letter.brandName}.`,
      `Abre este enlace, o escribe el código ${letter.code} donde te lo pidan. Sirve una sola vez y vence en 10 minutos.`,
    ],
    next: { link: letter.link, button: 'Entrar' },
    closing: 'Si no lo pediste tú, ignora este correo y no compartas el código con nadie.',
  })
}

/** Writes the mail to the current or to the new address; both addresses get the same text. */
export function emailChangeMail(letter: LinkLetter & Notice & { readonly newEmail: string }): Mail {
  return writeMail(letter, {
    subject: `Confirma el cambio de email en ${letter.brandName}`,
    paragraphs: [
      `Recibimos una solicitud para que la cuenta de ${letter.brandName} use el email ${letter.newEmail}.`,
      'Para aprobar el cambio, abre este enlace. Sirve una sola vez y vence en 60 minutos.',
      whenAndWhere(letter),
    ],
    next: { link: letter.link, button: 'Aprobar el cambio' },
    closing: `No abras el enlace si no lo pediste. ${ifItWasNotYou(letter)}`,
  })
}

/**
 * Writes the mail to the owner of an address that another account has requested as its new address. The other account
 * is not informed that the address is taken.
 */
export function addressTakenMail(notice: Notice): Mail {
  return writeMail(notice, {
    subject: `Alguien quiso usar tu email en ${notice.brandName}`,
    paragraphs: [
      `Otra cuenta de ${notice.brandName} pidió usar este email. No cambiamos nada: sigue siendo el de tu cuenta, y a quien lo pidió no le dijimos que lo es.`,
      whenAndWhere(notice),
    ],
    closing: `Si fuiste tú, no tienes que hacer nada: un email sirve para una sola cuenta. Si no, tampoco; si se repite, avisa. ${tellTheBank(notice.supportContact)}`,
  })
}

export function reauthenticationMail(letter: CodeLetter & Notice): Mail {
  return writeMail(letter, {
    subject: `Tu código de ${letter.brandName}`,
    paragraphs: [
      'Escribe este código para continuar. Sirve una sola vez y vence en 10 minutos.',
      whenAndWhere(letter),
    ],
    next: { code: letter.code },
    closing: `No lo compartas con nadie: el banco nunca te lo pedirá. ${ifItWasNotYou(letter)}`,
  })
}

/** Writes a mail without a link, so that readers do not learn to follow links in warnings. */
export function passwordChangedMail(notice: Notice): Mail {
  return writeMail(notice, {
    subject: `Tu contraseña de ${notice.brandName} cambió`,
    paragraphs: [
      `La contraseña de tu cuenta de ${notice.brandName} acaba de cambiar.`,
      'Cerramos las sesiones que estaban abiertas en otros dispositivos.',
      whenAndWhere(notice),
    ],
    closing: ifItWasNotYou(notice),
  })
}

/**
 * An event that affects an account's second factors. `end asked for` is a request to remove all factors, and `at` is
 * the time of their removal.
 */
export type FactorEvent =
  | { readonly kind: 'app added' | 'app removed' | 'passkey added' | 'passkey removed' }
  | { readonly kind: 'recovery codes made' | 'recovery code used' }
  | { readonly kind: 'end asked for'; readonly at: Date }

/**
 * Writes the mail about the event. `undoLink` opens a page on which the user can remove the added factor; `null` for an
 * event that added nothing.
 */
export function secondFactorMail(
  notice: Notice & { readonly event: FactorEvent; readonly undoLink: string | null },
): Mail {
  const { subject, happened, closing } = factorWords(notice)
  const { undoLink } = notice
  return writeMail(notice, {
    subject,
    paragraphs: [happened, whenAndWhere(notice), ...(undoLink === null ? [] : [undoText])],
    ...(undoLink !== null && { next: { link: undoLink, button: 'No fui yo' } }),
    closing,
  })
}

const undoText =
  'Si no fuiste tú, abre este enlace antes de 72 horas: quita lo que se añadió, cierra todas las sesiones y anula la contraseña.'

type FactorWords = { readonly subject: string; readonly happened: string; readonly closing: string }

function factorWords(notice: Notice & { readonly event: FactorEvent }): FactorWords {
  const { event, brandName, siteUrl, supportContact } = notice
  const afterUndoing = `Después elige «¿Olvidaste tu contraseña?» en ${siteUrl} y crea otra. ${tellTheBank(supportContact)}`
  switch (event.kind) {
    case 'app added':
      return {
        subject: `Añadiste una aplicación de autenticación en ${brandName}`,
        happened: `Tu cuenta de ${brandName} acaba de recibir una aplicación de autenticación. Desde ahora te pediremos su código al iniciar sesión.`,
        closing: afterUndoing,
      }
    case 'passkey added':
      return {
        subject: `Añadiste una llave de acceso en ${brandName}`,
        happened: `Tu cuenta de ${brandName} acaba de recibir una llave de acceso. Desde ahora te la pediremos al iniciar sesión.`,
        closing: afterUndoing,
      }
    case 'recovery codes made':
      return {
        subject: `Creaste códigos de recuperación en ${brandName}`,
        happened: `Tu cuenta de ${brandName} acaba de recibir códigos de recuperación nuevos. Los anteriores ya no sirven.`,
        closing: afterUndoing,
      }
    case 'app removed':
      return {
        subject: `Quitaste una aplicación de autenticación de ${brandName}`,
        happened: `Tu cuenta de ${brandName} ya no usa una de sus aplicaciones de autenticación.`,
        closing: ifItWasNotYou(notice),
      }
    case 'passkey removed':
      return {
        subject: `Quitaste una llave de acceso de ${brandName}`,
        happened: `Tu cuenta de ${brandName} ya no usa una de sus llaves de acceso.`,
        closing: ifItWasNotYou(notice),
      }
    case 'recovery code used':
      return {
        subject: `Alguien usó un código de recuperación en ${brandName}`,
        happened: `Alguien acaba de entrar a tu cuenta de ${brandName} con uno de tus códigos de recuperación. Ese código ya no sirve.`,
        closing: ifItWasNotYou(notice),
      }
    case 'end asked for':
    default:
      return {
        subject: `Pidieron quitar la verificación en dos pasos de tu cuenta en ${brandName}`,
        happened: `Alguien abrió un enlace de recuperación de tu cuenta de ${brandName} y pidió quitarle la verificación en dos pasos. La quitaremos el ${momentInWords(event.at)}. Ese día cerraremos todas las sesiones y anularemos la contraseña; para entrar, elige «¿Olvidaste tu contraseña?» en ${siteUrl}.`,
        closing: `Para impedirlo, abre antes ${siteUrl}, elige «¿Olvidaste tu contraseña?», sigue el enlace y completa la verificación en dos pasos: quien tiene tu correo y tu teléfono o tu llave eres tú. ${tellTheBank(supportContact)}`,
      }
  }
}

/**
 * Returns a text such as `Fecha: 22 de noviembre de 2026, 6:08 a. m. (hora de Bogotá). Dispositivo: Chrome en
 * Linux.`
 */
export function whenAndWhere({ incident: { at, userAgent } }: Notice): string {
  const when = `Fecha: ${momentInWords(at)}.`
  return userAgent === null ? when : `${when} Dispositivo: ${deviceName(userAgent)}.`
}

/**
 * Returns the advice to a victim of a thief who knows the password: the steps that end every session and replace the
 * password.
 */
export function ifItWasNotYou({ siteUrl, supportContact }: Notice): string {
  return `Si no fuiste tú: abre ${siteUrl}, elige «¿Olvidaste tu contraseña?» y crea otra; eso cierra todas las sesiones. ${tellTheBank(supportContact)}`
}

export function tellTheBank(supportContact: string): string {
  return supportContact === '' ? 'Luego avísale al banco.' : `Luego avísale al banco: ${supportContact}.`
}
