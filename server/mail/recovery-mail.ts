import type { Mail } from './mailer.ts'
import { type Letter, writeMail } from './mail-page.ts'

/** Lets somebody back in who forgot their password. */
export function recoveryMail(letter: Letter): Mail {
  return writeMail(letter, {
    subject: `Restablece tu contraseña de ${letter.brandName}`,
    paragraphs: [
      `Recibimos una solicitud para restablecer tu contraseña de ${letter.brandName}.`,
      'Para elegir una nueva, abre este enlace, en este o en otro dispositivo. Sirve una sola vez y vence en 60 minutos.',
    ],
    next: { link: letter.link, button: 'Elegir una contraseña nueva' },
    closing: 'Si no lo pediste tú, ignora este correo: tu contraseña sigue siendo la misma.',
  })
}
