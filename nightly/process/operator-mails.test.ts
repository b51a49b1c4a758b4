/**
 * Tests the mails that the operator gets about a database outage, and the state that the public page shows meanwhile.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { clusterOfFile, hasPostgres, runCommand, startOn } from '#tests/process/programs.ts'
import { openFaultyLine } from './faulty-line.ts'

const cluster = clusterOfFile()
/**
 * A server sends its own mail after the database has been down for a minute. The test therefore waits longer than a
 * minute.
 */
const mailWait = { timeout: 120_000 }

/** Starts a mail server. Returns its port and the subjects of the mails that it has accepted. */
async function takeMails(): Promise<{ port: number; subjects: string[] }> {
  const subjects: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let mail = ''
      stream.on('data', (chunk: Buffer) => (mail += chunk.toString()))
      stream.on('end', () => {
        subjects.push(/^Subject: (.*(?:\r\n .*)*)/m.exec(mail)?.[1]?.replaceAll('\r\n', '') ?? '')
        done()
      })
    },
  })
  server.on('error', () => undefined)
  onTestFinished(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return { port: (server.server.address() as AddressInfo).port, subjects }
}

// The embedded engine has no separate database server that could become unreachable.
test.skipIf(!hasPostgres)(
  'the operator gets a mail during an outage of the database and another mail after the outage',
  async () => {
    const { port, subjects } = await takeMails()
    const url = await cluster().createDatabase('operator_mails')
    const line = await openFaultyLine(url)
    const variables = { DATABASE_URL: line.urlOf(url), LOG_LEVEL: 'info' }
    const { url: site, dataDir } = await startOn({
      ...variables,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'banco@banco.example',
      OPERATOR_EMAIL: 'op@banco.example',
    })
    const publicState = async () => {
      const answer = await fetch(`${site}/estado`)
      return [answer.status, /<h1>(.*)<\/h1>/.exec(await answer.text())?.[1]]
    }
    const status = async () => {
      const { code, stdout } = await runCommand('status', [], { ...variables, DATA_DIR: dataDir })
      return [
        code,
        stdout.includes('Todo está bien.'),
        stdout.includes('Terminó: La base de datos no responde'),
      ]
    }
    await expect.poll(publicState).toEqual([200, 'El banco funciona'])
    expect(await status()).toEqual([0, true, false])

    line.cut()
    await expect.poll(publicState).toEqual([503, 'El banco no funciona en este momento'])
    await expect
      .poll(() => subjects, mailWait)
      .toEqual(['Alarma de Banco Finanzas: La base de datos no responde'])
    expect((await status())[0]).toBe(1)

    line.mend()
    await expect
      .poll(() => subjects.slice(1), mailWait)
      .toEqual([expect.stringMatching(/^=\?UTF-8\?Q\?Termin=C3=B3_la_alarma_de_Banco/)])
    expect(await publicState()).toEqual([200, 'El banco funciona'])
    expect(await status()).toEqual([0, true, true])
  },
)
