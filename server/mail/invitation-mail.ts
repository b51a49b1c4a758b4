import type { Mail } from './mailer.ts'
import { type Letter, writeMail } from './mail-page.ts'

/** Invites somebody for whom the operator opened an account. */
export function invitationMail(letter: Letter): Mail {
  return writeMail(letter, {
    subject: `Te invitaron a ${letter.brandName}`,
    paragraphs: [
      `Abrieron una cuenta para ti en ${letter.brandName}.`,
      'Para aceptarla y elegir tu contraseña, abre este enlace. Sirve una sola vez y vence en 24 horas.',
    ],
    next: { link: letter.link, button: 'Aceptar la invitación' },
    closing: 'Si no la esperabas, ignora este correo: no pasará nada.',
  })
}
