/** Mails to the operator about alarms. The details of an alarm are only in the log, and not in the mail. */
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import type { AlarmCode } from '@finanzas/contract/operations/alarms.ts'
import { alarmCopy } from '@finanzas/contract/operations/copy.ts'
import { type Mail, writeMail } from './mail-page.ts'

type Operator = { readonly to: string; readonly brandName: string; readonly siteUrl: string }

type AlarmNews = {
  readonly code: AlarmCode
  /** True for the mail about the beginning of the alarm, and false for the mail about its end. */
  readonly isOpen: boolean
  readonly at: Date
  /** Returns a text in which the commands are written as this installation requires. */
  readonly inWords: (text: string) => string
}

/** Writes the mail about the beginning or the end of an alarm. */
export function alarmMail(
  { to, brandName, siteUrl }: Operator,
  { code, isOpen, at, inWords }: AlarmNews,
): Mail {
  const { title, meaning, remedy } = alarmCopy[code]
  return writeMail(
    { to, brandName },
    {
      subject: `${isOpen ? 'Alarma' : 'Terminó la alarma'} de ${brandName}: ${title}`,
      paragraphs: isOpen
        ? [`${title}, desde el ${momentInWords(at)}.`, meaning, `Qué hacer: ${inWords(remedy)}`]
        : [`Terminó el ${momentInWords(at)}: ${title}.`],
      next: { link: `${siteUrl}/admin/estado`, button: 'Ver el estado del banco' },
      closing: `Recibes este correo porque OPERATOR_EMAIL tiene esta dirección. También puedes mirarlo con «${inWords('npm run status')}».`,
    },
  )
}
