/** The bank of `npm run demo`, in the directory that `demo.ts` names. `demo.ts` ends it. */
import { randomBytes } from 'node:crypto'
import { readConfig } from '#settings/config.ts'
import { fillBank } from './fill.ts'
import { recordInTime } from './record-in-time.ts'
import { createPasswords } from '#identity/password/passwords.ts'
import { mailAnnouncement, runProgram } from '#run-program.ts'
import { startServer } from '#start.ts'

const [dataDir = ''] = process.argv.slice(2)
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

await runProgram(async () => {
  const password = `demo-${randomBytes(6).toString('base64url')}`
  const { DATABASE_URL: _ignored, ...environment } = process.env
  const config = readConfig({ ...environment, DATA_DIR: dataDir, ADMIN_PASSWORD: password })
  console.log('Preparando un banco de demostración…')
  const start = () =>
    startServer(config, {
      onMailKept: (link, to) => console.log(mailAnnouncement(dataDir, link, to)),
      onPasswordMade: () => undefined,
      onNotice: () => undefined,
    })
  const empty = await start()
  console.log('Llenando el banco: tres clientes con dos años de movimientos…')
  const passwords = createPasswords({ lengthMin: config.passwordLengthMin, brandName: config.brandName })
  const customers = await fillBank(empty.database, {
    passwordHash: await passwords.hash(password, { email: null }),
    currency: config.displayCurrency,
  })
  await empty.close()
  await recordInTime(dataDir)
  const server = await start()

  console.log(`\n${config.brandName} (demostración) está en ${server.url}\n`)
  console.log(`  Administrador: ${config.administrator.email}`)
  for (const email of customers) console.log(`  Cliente:       ${email}`)
  console.log(`  Contraseña de todos: ${password}\n`)
  return server
})
