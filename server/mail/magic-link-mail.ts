import type { Mail } from './mailer.ts'
import { type CodeLetter, type Letter, writeMail } from './mail-page.ts'

/** Signs somebody in without a password, by a link or by a code. Either ends with the other, after ten minutes. */
export function magicLinkMail(letter: Letter & CodeLetter): Mail {
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
