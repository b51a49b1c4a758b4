import type { Mail } from './mailer.ts'
import { type CodeLetter, writeMail } from './mail-page.ts'
import { type Notice, ifItWasNotYou, whenAndWhere } from './security-advice.ts'

/** The code that says once more who is there, before something delicate is changed. */
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
