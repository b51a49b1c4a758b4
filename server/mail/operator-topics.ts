/** The text that tells the operator about an alarm. The details of an alarm are only in the log, and not in the mail. */
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import { isAlarmCode } from '@finanzas/contract/operations/alarms.ts'
import { alarmCopy } from '@finanzas/contract/operations/copy.ts'
import type { News, NewsCopy } from './news.ts'

export const operatorTopics = {
  alarm: ({ facts, brandName, siteUrl, asCalledHere }: News): NewsCopy => {
    const code = String(facts['code'])
    // A server of a newer release may have stored this alarm. That server has the text, and tries to send the mail too.
    if (!isAlarmCode(code)) throw new Error(`The alarm ${code} has no text.`)
    const { title, meaning, remedy } = alarmCopy[code]
    const moment = momentInWords(new Date(String(facts['happened_at'])))
    const isOpen = facts['is_open'] === true
    return {
      subject: `${isOpen ? 'Alarma' : 'Terminó la alarma'} de ${brandName}: ${title}`,
      paragraphs: isOpen
        ? [`${title}, desde el ${moment}.`, meaning, `Qué hacer: ${asCalledHere(remedy)}`]
        : [`Terminó el ${moment}: ${title}.`],
      next: { link: `${siteUrl}/admin/estado`, button: 'Ver el estado del banco' },
      closing: `Recibes este correo porque OPERATOR_EMAIL tiene esta dirección. También puedes mirarlo con «${asCalledHere('npm run status')}».`,
    }
  },
}
