/** `npm run demo`: a believable bank in a directory that is gone when the process ends. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#config.ts'
import { fillBank } from '#demo/fill.ts'
import { createPasswords } from '#identity/passwords.ts'
import { runProgram } from '#run-program.ts'
import { startServer } from '#start.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'finanzas-demo-'))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))

await runProgram(async () => {
  const password = `demo-${randomBytes(6).toString('base64url')}`
  const { DATABASE_URL: _ignored, ...environment } = process.env
  const config = readConfig({ ...environment, DATA_DIR: dataDir, ADMIN_PASSWORD: password })
  const server = await startServer(config, {
    onMailKept: (link, to) => console.log(`Correo para ${to}: ${link ?? ''}`),
    onPasswordMade: () => undefined,
    onNotice: () => undefined,
  })
  const customers = await fillBank(
    server.database,
    createPasswords({ lengthMin: config.passwordLengthMin, brandName: config.brandName }),
    password,
  )

  console.log(`\n${config.brandName} (demostración) está en ${server.url}\n`)
  console.log(`  Administrador: ${config.administrator.email}`)
  for (const email of customers) console.log(`  Cliente:       ${email}`)
  console.log(`  Contraseña de todos: ${password}\n`)
  return server
})
