import type { Mail } from './mailer.ts'
import { type Addressee, writeMail } from './mail-page.ts'

/** Tells the owner of an account that its password is another one. It holds no link, so that nobody learns to follow one. */
export function passwordChangedMail(addressee: Addressee): Mail {
  return writeMail(addressee, {
    subject: `Tu contraseña de ${addressee.brandName} cambió`,
    paragraphs: [
      `La contraseña de tu cuenta de ${addressee.brandName} acaba de cambiar.`,
      'Cerramos las sesiones que estaban abiertas en otros dispositivos.',
    ],
    next: null,
    closing:
      'Si no fuiste tú, restablece tu contraseña desde la pantalla de inicio de sesión y avísale al banco.',
  })
}
