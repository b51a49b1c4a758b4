/** The program of `npm start`: reads the configuration from the environment and starts the server. */
import { flushCompileCache } from 'node:module'
import { asCalledHere } from '#settings/called-here.ts'
import { readConfig } from '#settings/config.ts'
import { warningsOfMisspelledSettings } from '#settings/misspelled-settings.ts'
import { mailAnnouncement, runProgram } from './run-program.ts'
import { startServer } from './start.ts'

await runProgram(async () => {
  const config = readConfig(process.env)
  for (const warning of warningsOfMisspelledSettings(process.env)) console.error(warning)
  const server = await startServer(config, {
    onMailKept: (link, to) => console.log(mailAnnouncement(config.dataDir, link, to)),
    onPasswordMade(email, password) {
      // Prints the password at once, so that a later crash cannot lose it.
      console.log(
        '\nPrimer administrador (esta contraseña no se muestra otra vez):\n' +
          `  Email:      ${email}\n` +
          `  Contraseña: ${password}\n`,
      )
    },
    onNotice: (sentence) => console.log(asCalledHere(sentence)),
  })
  console.log(`${config.brandName} está en ${server.url}`)
  // Flushes the compile cache now, so that the process does not have to write it on exit.
  flushCompileCache()
  return server
})
