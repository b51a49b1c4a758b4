import type { Mail } from './mailer.ts'
import { writeMail } from './mail-page.ts'
import { type Notice, ifItWasNotYou, moment, tellTheBank, whenAndWhere } from './security-advice.ts'

/** What happened to somebody's second factors; `at` is when they will end. */
export type FactorEvent =
  | { readonly kind: 'app added' | 'app removed' | 'recovery codes made' | 'recovery code used' }
  | { readonly kind: 'end asked for'; readonly at: Date }

/**
 * Tells the owner of an account what happened to its second factors. Only what was added has a link: it takes that
 * away again, and the page behind it asks before it does.
 */
export function secondFactorMail(
  notice: Notice & { readonly event: FactorEvent; readonly undoLink: string | null },
): Mail {
  const { subject, happened, closing } = wordsOf(notice)
  const { undoLink } = notice
  return writeMail(notice, {
    subject,
    paragraphs: [happened, whenAndWhere(notice), ...(undoLink === null ? [] : [undoText])],
    next: undoLink === null ? null : { link: undoLink, button: 'No fui yo' },
    closing,
  })
}

const undoText =
  'Si no fuiste tú, abre este enlace antes de 72 horas: quita lo que se agregó, cierra todas las sesiones y anula la contraseña.'

type Words = { readonly subject: string; readonly happened: string; readonly closing: string }

function wordsOf({ event, ...notice }: Notice & { readonly event: FactorEvent }): Words {
  return event.kind === 'end asked for' ? endWords(notice, event.at) : words[event.kind](notice)
}

const words: Readonly<Record<Exclude<FactorEvent['kind'], 'end asked for'>, (notice: Notice) => Words>> = {
  'app added': (notice) => ({
    subject: `Agregaste una aplicación de autenticación en ${notice.brandName}`,
    happened: `Tu cuenta de ${notice.brandName} acaba de recibir una aplicación de autenticación. Desde ahora te pediremos su código al iniciar sesión.`,
    closing: afterUndoing(notice),
  }),
  'recovery codes made': (notice) => ({
    subject: `Creaste códigos de recuperación en ${notice.brandName}`,
    happened: `Tu cuenta de ${notice.brandName} acaba de recibir códigos de recuperación nuevos. Los anteriores ya no sirven.`,
    closing: afterUndoing(notice),
  }),
  'app removed': (notice) => ({
    subject: `Quitaste una aplicación de autenticación de ${notice.brandName}`,
    happened: `Tu cuenta de ${notice.brandName} ya no usa una de sus aplicaciones de autenticación.`,
    closing: ifItWasNotYou(notice),
  }),
  'recovery code used': (notice) => ({
    subject: `Alguien usó un código de recuperación en ${notice.brandName}`,
    happened: `Alguien acaba de entrar a tu cuenta de ${notice.brandName} con uno de tus códigos de recuperación. Ese código ya no sirve.`,
    closing: ifItWasNotYou(notice),
  }),
}

function endWords({ brandName, siteUrl, supportContact }: Notice, at: Date): Words {
  return {
    subject: `Pidieron quitar la verificación en dos pasos de tu cuenta en ${brandName}`,
    happened: `Alguien abrió un enlace de recuperación de tu cuenta de ${brandName} y pidió quitarle la verificación en dos pasos. La quitaremos el ${moment(at)}. Ese día cerraremos todas las sesiones y anularemos la contraseña; para entrar, elige «¿Olvidaste tu contraseña?» en ${siteUrl}.`,
    closing: `Para impedirlo, abre antes ${siteUrl}, elige «¿Olvidaste tu contraseña?», sigue el enlace y escribe el código de tu aplicación: quien tiene tu correo y tu aplicación eres tú. ${tellTheBank(supportContact)}`,
  }
}

function afterUndoing({ siteUrl, supportContact }: Notice): string {
  return `Después elige «¿Olvidaste tu contraseña?» en ${siteUrl} y crea otra. ${tellTheBank(supportContact)}`
}
