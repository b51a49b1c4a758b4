/** How a mail that lies in the outbox is shown where the server was started. */
import { styleText } from 'node:util'

/** One line for a program that reads along; at a terminal a block that stands out from the log around it. */
export function mailAnnouncement(
  mail: { readonly to: string; readonly link: string | null; readonly outbox: string },
  { isTerminal }: { readonly isTerminal: boolean },
): string {
  const where = mail.link ?? `guardado en ${mail.outbox}`
  if (!isTerminal) return `Correo para ${mail.to}: ${where}`
  return `\n  ${styleText('bold', `Correo para ${mail.to}`)}\n  ${where}\n`
}
