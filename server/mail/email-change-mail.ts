import type { Mail } from './mailer.ts'
import { type Letter, writeMail } from './mail-page.ts'
import { type Notice, ifItWasNotYou, whenAndWhere } from './security-advice.ts'

/** Asks for a change of address, at the present address and at the new one: the words are right for both. */
export function emailChangeMail(letter: Letter & Notice & { readonly newEmail: string }): Mail {
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
