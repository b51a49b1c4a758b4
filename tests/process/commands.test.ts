/** Runs the operator's commands on PostgreSQL, using the database owner that docs/es/instalar.md describes. */
import { randomUUID } from 'node:crypto'
import { openSync, readFileSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isoDateTime } from '@finanzas/contract/format/bogota.ts'
import { expect, test } from 'vitest'
import { askPsql } from '#testing/cluster-databases.ts'
import { signIn } from '#testing/people.ts'
import { clusterOfFile, emptyDirectory, hasPostgres, record, runCommand, startBank } from './programs.ts'

const cluster = clusterOfFile()

/** Returns the statements in docs/es/instalar.md that create the owner and the database. */
function documentedStatements(): string[] {
  const [, block = ''] = /```sql\n(.*?)```/s.exec(readFileSync('docs/es/instalar.md', 'utf8')) ?? []
  return block.split('\n').map((line) => line.trim())
}

/** Creates an empty database with this owner and returns its connection string. */
async function documentedDatabase(): Promise<string> {
  const { url } = cluster()
  const [role = '', , database = ''] = documentedStatements()
  const password = randomUUID()
  await askPsql(cluster(), url, role)
  await askPsql(cluster(), url, `alter role finanzas password '${password}'`)
  // The test cluster already contains a database with this name.
  await askPsql(cluster(), url, 'drop database finanzas')
  await askPsql(cluster(), url, database)
  return Object.assign(new URL(url), { username: 'finanzas', password, pathname: '/finanzas' }).href
}

// The embedded engine has only one login. nightly/process/commands.test.ts runs the commands on that engine.
test.skipIf(!hasPostgres)(
  'the documented owner can run the operator’s commands',
  { timeout: 240_000 },
  async () => {
    const bank = {
      DATA_DIR: await emptyDirectory(),
      DATABASE_URL: await documentedDatabase(),
      JWT_SECRET: `the secret of a bank ${randomUUID()}`,
    }
    const directory = await emptyDirectory()
    const server = await startBank(bank)
    const person = await signIn(server)
    const transaction_id = randomUUID()
    await record(person, transaction_id)
    const { data } = await person.client.functions.invoke<{ csv: string }>('statement', {
      body: { month: isoDateTime(new Date().toISOString()).slice(0, 7) },
    })
    const issued = await person.client.functions.invoke<{ csv: string }>('statement', {
      body: { transaction_id },
    })
    const [statement, receipt] = ['statement', 'receipt'].map((name) => join(directory, `${name}.csv`)) as [
      string,
      string,
    ]
    await writeFile(statement, data?.csv ?? '')
    await writeFile(receipt, issued.data?.csv ?? '')

    const failures: string[] = []
    for (const [name, ...given] of [
      ['admin', 'create', 'ana@banco.example'],
      ['admin', 'block', 'ana@banco.example', '--reason', 'otro'],
      ['verify-ledger'],
      ['status'],
      ['verify-statement', statement],
      ['verify-statement', receipt],
    ] as [string, ...string[]][]) {
      const { code, stdout, stderr } = await runCommand(name, given, bank)
      // The result can be piped to another program, such as grep.
      if (code !== 0 || stdout === '' || stderr !== '') failures.push(`${name}: ${stderr}`)
    }

    expect(failures).toEqual([])
    await sentAndReceived(bank)
  },
)

/**
 * Tests the streams that deploy/command.sh uses. Writes a backup to the standard output. Then reads the backup from the
 * standard input, and expects the restore command to refuse a database that is not empty.
 */
async function sentAndReceived(bank: Record<string, string>): Promise<void> {
  const file = join(await emptyDirectory(), 'one.backup')

  const sent = await runCommand('backup', ['--to', '-'], bank, { output: openSync(file, 'w') })
  const [, signer = ''] = /la clave (\S+):/.exec(sent.stderr) ?? []
  const received = await runCommand('restore', ['-', '--signed-by', signer], bank, {
    input: openSync(file, 'r'),
  })

  expect(sent).toMatchObject({ code: 0, stderr: expect.stringContaining('en la salida estándar') as string })
  expect(received).toMatchObject({ code: 1, stderr: expect.stringContaining('no está vacía') as string })
  // The backup and the restore must not leave a backup in the data directory.
  expect(readdirSync(bank['DATA_DIR'] ?? '').filter((name) => name.endsWith('.backup'))).toEqual([])
}
