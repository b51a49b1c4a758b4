/** `npm start`: environment → configuration → server. */
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { readConfig } from '#config.ts'
import { mailAnnouncement } from '#mail-announcement.ts'
import { runProgram } from '#run-program.ts'
import { startServer } from '#start.ts'

await runProgram(async () => {
  const config = readConfig(process.env)
  const server = await startServer(config, {
    onMailKept: (link, to) =>
      console.log(
        mailAnnouncement(
          { to, link, outbox: join(config.dataDir, 'outbox') },
          { isTerminal: process.stdout.isTTY },
        ),
      ),
  })
  if (server.administratorPassword !== null) {
    console.log(`\nPrimer administrador (esta contraseña no se muestra otra vez):`)
    console.log(`  Email:      ${config.administrator.email}`)
    console.log(`  Contraseña: ${server.administratorPassword}\n`)
  }
  console.log(`${config.brandName} está en ${server.url}`)
  // Now, so that there is nothing left to write when it ends.
  flushCompileCache()
  return server
})
