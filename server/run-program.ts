/**
 * Runs a server as a program: drains and closes the server on a signal, exits with a message on failure, and formats
 * announcements.
 */
import { join } from 'node:path'
import { styleText } from 'node:util'
import { asCalledHere } from '#settings/called-here.ts'
import { keepFilesPrivate } from '#data-directory/private-files.ts'
import { explain } from '#operator/explain.ts'
import type { RunningServer } from './start.ts'
import { watchLauncher } from './watch-launcher.ts'

/** Maximum time for which a closing server waits for running requests to finish. */
const closingMsMax = 10_000

/** Starts the server, and exits the process once a signal or the death of npm has closed the server. */
export async function runProgram(start: () => Promise<RunningServer>): Promise<void> {
  keepFilesPrivate()
  const onLauncherGone = watchLauncher()
  try {
    const end = endOnSignals(await start())
    onLauncherGone(end)
  } catch (error) {
    console.error(asCalledHere(explain(error)))
    process.exit(1)
  }
}

/** Returns the function that ends the server as a signal does. */
function endOnSignals(server: RunningServer): () => void {
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
  return end
}

/**
 * Returns the announcement of a mail that was saved to the outbox. At a terminal, the announcement is a block of lines
 * that stands out from the log; otherwise it is one line.
 */
export function mailAnnouncement(dataDir: string, link: string | null, to: string): string {
  const where = link ?? `guardado en ${join(dataDir, 'outbox')}`
  if (!process.stdout.isTTY) return `Correo para ${to}: ${where}`
  return `\n  ${styleText('bold', `Correo para ${to}`)}\n  ${where}\n`
}
