import type { Mail } from './mailer.ts'
import { type Letter, writeMail } from './mail-page.ts'

/** Asks for the confirmation of an address that somebody signed up with. */
export function confirmationMail(letter: Letter): Mail {
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
