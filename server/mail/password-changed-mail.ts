import type { Mail } from './mailer.ts'
import { writeMail } from './mail-page.ts'
import { type Notice, ifItWasNotYou, whenAndWhere } from './security-advice.ts'

/** Tells the owner of an account that its password is another one. It holds no link, so that nobody learns to follow one. */
export function passwordChangedMail(notice: Notice): Mail {
  return writeMail(notice, {
    subject: `Tu contraseña de ${notice.brandName} cambió`,
    paragraphs: [
      `La contraseña de tu cuenta de ${notice.brandName} acaba de cambiar.`,
      'Cerramos las sesiones que estaban abiertas en otros dispositivos.',
      whenAndWhere(notice),
    ],
    next: null,
    closing: ifItWasNotYou(notice),
  })
}
