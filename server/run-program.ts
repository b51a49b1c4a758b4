/**
 * Runs a server as a program: closes it in order on a signal, exits with a sentence on failure, and words its
 * announcements.
 */
import { join } from 'node:path'
import { styleText } from 'node:util'
import { asCalledHere } from '#settings/called-here.ts'
import { keepFilesPrivate } from '#data-directory/private-files.ts'
import { explain } from '#operator/explain.ts'
import type { RunningServer } from './start.ts'

/** Requests that are running when the server closes have this long. */
const closingMsMax = 10_000

/** Ends the process. */
export async function runProgram(start: () => Promise<RunningServer>): Promise<void> {
  keepFilesPrivate()
  try {
    endOnSignals(await start())
  } catch (error) {
    console.error(asCalledHere(explain(error)))
    process.exit(1)
  }
}

function endOnSignals(server: RunningServer): void {
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    server
      .drain()
      .then(() => {
        setTimeout(() => process.exit(1), closingMsMax).unref()
        return server.close()
      })
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(explain(error))
          process.exit(1)
        },
      )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** A mail that lies in the outbox: one line for a program, at a terminal a block that stands out from the log around it. */
export function mailAnnouncement(dataDir: string, link: string | null, to: string): string {
  const where = link ?? `guardado en ${join(dataDir, 'outbox')}`
  if (!process.stdout.isTTY) return `Correo para ${to}: ${where}`
  return `\n  ${styleText('bold', `Correo para ${to}`)}\n  ${where}\n`
}
