/** How a mail that lies in the outbox is shown where the server was started. */
import { join } from 'node:path'
import { styleText } from 'node:util'

/** One line for a program; at a terminal a block that stands out from the log around it. */
export function mailAnnouncement(dataDir: string, link: string | null, to: string): string {
  const where = link ?? `guardado en ${join(dataDir, 'outbox')}`
  if (!process.stdout.isTTY) return `Correo para ${to}: ${where}`
  return `\n  ${styleText('bold', `Correo para ${to}`)}\n  ${where}\n`
}
