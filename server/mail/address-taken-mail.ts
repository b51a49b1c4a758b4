import type { Mail } from './mailer.ts'
import { writeMail } from './mail-page.ts'
import { type Notice, tellTheBank, whenAndWhere } from './security-advice.ts'

/** Tells the owner of an address that another account asked for it: who asked is not told that it is taken. */
export function addressTakenMail(notice: Notice): Mail {
  return writeMail(notice, {
    subject: `Alguien quiso usar tu email en ${notice.brandName}`,
    paragraphs: [
      `Otra cuenta de ${notice.brandName} pidió usar este email. No cambiamos nada: sigue siendo el de tu cuenta, y a quien lo pidió no le dijimos que lo es.`,
      whenAndWhere(notice),
    ],
    next: null,
    closing: `Si fuiste tú, no tienes que hacer nada: un email sirve para una sola cuenta. Si no, tampoco; si se repite, avisa. ${tellTheBank(notice.supportContact)}`,
  })
}
