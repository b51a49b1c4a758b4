/**
 * Runs the bank for `npm run demo`. `demo.ts` starts and stops this process, and passes the directory as an argument.
 */
import { randomBytes } from 'node:crypto'
import { openBank } from '#bank/open-bank.ts'
import { ensureFirstAdministrator } from '#people/first-administrator.ts'
import { type Config, readConfig } from '#settings/config.ts'
import { fillApproval, fillBank } from './fill.ts'
import { fillTransfers } from './fill-transfers.ts'
import { secondAdministrator } from './people.ts'
import { recordInTime } from './record-in-time.ts'
import { createPasswords } from '#people/password/passwords.ts'
import { mailAnnouncement, runProgram } from '#run-program.ts'
import { startServer } from '#start.ts'

const [dataDir = ''] = process.argv.slice(2)
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

/** The amount above which a deposit in the demo needs another administrator's approval. */
const approvalAbove = { USD: '1000', COP: '4000000' } as const

/** Functions that print nothing in place of the server's announcements, because the demo prints the password itself. */
const withoutAnnouncements = { onPasswordMade: () => undefined, onNotice: () => undefined }

await runProgram(async () => {
  const password = `demo-${randomBytes(6).toString('base64url')}`
  const { DATABASE_URL: _ignored, ...environment } = process.env
  const config = readConfig({
    FEATURES: 'transferencias',
    STAFF_APPROVAL_ABOVE: approvalAbove[environment['DISPLAY_CURRENCY'] === 'COP' ? 'COP' : 'USD'],
    ...environment,
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: password,
  })
  console.log('Preparando un banco de demostración…')
  const customers = await makeBank(config, password)
  const server = await startServer(config, {
    onMailKept: (link, to) => console.log(mailAnnouncement(dataDir, link, to)),
    ...withoutAnnouncements,
  })

  console.log(`\n${config.brandName} (demostración) está en ${server.url}\n`)
  for (const email of [config.administrator.email, secondAdministrator.email])
    console.log(`  Administrador: ${email}`)
  for (const email of customers) console.log(`  Cliente:       ${email}`)
  console.log(`  Contraseña de todos: ${password}\n`)
  return server
})

/** Creates and fills the bank's database without a server; returns the customers' e-mail addresses. */
async function makeBank(config: Config, password: string): Promise<string[]> {
  const bank = await openBank(config)
  const passwords = createPasswords({ lengthMin: config.passwordLengthMin, brandName: config.brandName })
  await ensureFirstAdministrator(bank.database, passwords, {
    ...config.administrator,
    ...withoutAnnouncements,
  })
  console.log('Llenando el banco: tres clientes con dos años de movimientos…')
  const customers = await fillBank(bank.database, {
    passwordHash: await passwords.hash(password, { email: null }),
    currency: config.displayCurrency,
  })
  if (config.features.includes('transferencias')) {
    const owner = await bank.connectOwner()
    await fillTransfers({ database: bank.database, owner }, config.displayCurrency)
  }
  if (config.bankSettings.staff_approval_above !== null) await fillApproval(bank.database, config)
  await bank.close()
  await recordInTime(config.dataDir)
  return customers
}
