/** The operator's commands: `npm run admin` beside a server and without one, wrong calls, and places without a bank. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { statementCsv } from '@finanzas/contract/statement/csv.ts'
import { statementPdf } from '@finanzas/contract/statement/pdf.ts'
import { type StatementAnswer, statementOf } from '@finanzas/contract/statement/statement.ts'
import { describe, expect, test } from 'vitest'
import { askPsql, superuserUrlOf } from '#testing/cluster.ts'
import { anonymousClient, signIn } from '#testing/people.ts'
import { administrator } from '#testing/server.ts'
import {
  clusterOfFile,
  emptyDirectory,
  hasPostgres,
  migratedDirectory,
  runCommand,
  startBank,
  startReady,
} from '#tests/process/programs.ts'

const hosted = {
  SUPABASE_URL: 'https://project.example',
  SUPABASE_ANON_KEY: 'the key for pages',
  SITE_URL: 'https://banco.example',
}

describe('npm run admin', () => {
  async function admin(DATA_DIR: string, ...call: string[]) {
    const variables = { DATA_DIR, ADMIN_EMAIL: administrator.email }
    const { code, stdout, stderr } = await runCommand('admin', [...call, '--json'], variables)
    return { code, stderr, result: stdout === '' ? null : (JSON.parse(stdout) as unknown) }
  }

  test('a locked-out administrator gets back in beside the running server, and every step is in the audit', async () => {
    const server = await startBank()
    const { dataDir } = server
    const before = await signIn(server)

    const created = await admin(dataDir, 'create', 'Segunda@Banco.example', '--name', 'Segunda')
    const reset = await admin(dataDir, 'reset-access', administrator.email)
    const passwordIn = ({ result }: typeof reset) => (result as { password: string }).password

    // The old password and the old session are over, the new password opens.
    expect((await before.client.auth.getUser()).error).not.toBe(null)
    const { error } = await (await anonymousClient(server)).auth.signInWithPassword(administrator)
    expect(error).toMatchObject({ code: 'invalid_credentials' })
    const after = await signIn(server, { ...administrator, password: passwordIn(reset) })
    const second = await signIn(server, { email: 'segunda@banco.example', password: passwordIn(created) })

    await admin(dataDir, 'revoke', second.email)
    expect((await second.client.auth.getUser()).error).not.toBe(null)
    expect((await admin(dataDir, 'list')).result).toMatchObject([
      { email: administrator.email, sessions: 1 },
      { email: second.email, full_name: 'Segunda', sessions: 0 },
    ])
    const { data: entries } = await after.client.from('audit_entries').select('action, origin').order('id')
    expect(entries?.filter(({ origin }) => origin === 'operator')).toEqual([
      { action: 'create_user', origin: 'operator' },
      { action: 'reset_access', origin: 'operator' },
      { action: 'revoke_sessions', origin: 'operator' },
    ])
  })

  test('without a server the command opens the bank by itself; mistakes are said in a sentence', async () => {
    const dataDir = await migratedDirectory()
    await (await startReady({ DATA_DIR: dataDir })).stop()

    expect(await admin(dataDir, 'create', 'sola@banco.example')).toMatchObject({
      code: 0,
      result: { email: 'sola@banco.example', password: expect.stringMatching(/^[\w-]{24}$/) as string },
    })
    for (const [call, code, sentence] of [
      [['create', 'sola@banco.example'], 1, 'ya tiene una cuenta'],
      [['reset-access', 'nadie@banco.example'], 1, 'No hay ninguna cuenta con la dirección nadie@banco'],
      [['block', 'sola@banco.example'], 2, '--reason es uno de: pedido, fraude, identidad, autoridad, otro.'],
      [
        ['block', 'sola@banco.example', '--reason', 'otro', '--hours', '0'],
        2,
        '--hours es un número entero, de 1 a 87600.',
      ],
      [
        ['block', 'sola@banco.example', '--reason', 'otro', '--hours', '2'],
        0,
        'sola@banco.example está bloqueado, hasta 20',
      ],
      [['change-email', 'sola@banco.example'], 2, 'Falta la dirección nueva.'],
      [['unblock', 'sola@banco.example'], 0, 'no está bloqueado'],
    ] as const)
      expect(await admin(dataDir, ...call)).toMatchObject({
        code,
        stderr: expect.stringContaining(sentence) as string,
      })
  })
})

test('a statement is confirmed beside the running server, as paper and as a table, and refuted where it was altered', async () => {
  const server = await startBank()
  const { client } = await signIn(server)
  const { data } = await client.rpc('statement', { month: '2026-01-01' })
  const issued = {
    bankName: 'Banco',
    customer: 'Ana',
    currency: 'USD',
    issuedAt: '2026-02-01 09:00',
  } as const
  const csv = statementCsv(statementOf(data as StatementAnswer, issued, ''))
  const folder = await emptyDirectory()
  const verify = async (name: string, content: string | Uint8Array) => {
    const path = join(folder, name)
    await writeFile(path, content)
    const { code, stderr } = await runCommand('verify-statement', [path], { DATA_DIR: server.dataDir })
    return [code, stderr.split(' ').slice(0, 3).join(' ')]
  }

  expect(await verify('paper.pdf', statementPdf(csv))).toEqual([0, 'Es auténtico el'])
  expect(await verify('table.csv', csv)).toEqual([0, 'Es auténtico el'])
  expect(await verify('later.csv', csv.replace('Registros;1;0', 'Registros;2;0'))).toEqual([
    1,
    'NO ES AUTÉNTICO',
  ])
  const account = (data as StatementAnswer).account
  expect(await verify('foreign.csv', csv.replaceAll(account, crypto.randomUUID()))).toEqual([
    1,
    'NO ES AUTÉNTICO',
  ])
  expect(await verify('other.pdf', Buffer.from('%PDF-1.7'))).toEqual([1, `${folder}/other.pdf NO ES`])
  const missing = await runCommand('verify-statement', [join(folder, 'none')], { DATA_DIR: server.dataDir })
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No existe el archivo .*none\.\n$/) as string,
  })
})

test('a hosted page is built again over an earlier one, of which nothing stays', async () => {
  const out = await emptyDirectory()
  const build = () => runCommand('hosted-page', ['--out', out], hosted)
  expect(await build()).toMatchObject({ code: 0 })
  await writeFile(join(out, 'assets', 'old.js'), '')

  expect(await build()).toMatchObject({ code: 0 })

  expect(existsSync(join(out, 'assets', 'old.js'))).toBe(false)
})

test.for<[string, string[], string]>([
  ['restore', [], 'Falta el archivo de la copia de seguridad.'],
  ['restore', ['docs'], 'docs es un directorio: se espera un archivo.'],
  ['verify-statement', ['docs'], 'docs es un directorio: se espera un archivo.'],
  ['backup', ['--everything'], 'Opción desconocida: --everything.'],
  ['backup', ['everything'], 'Argumento desconocido: everything.'],
  ['migrate-engine', [], 'Falta el destino: --to.'],
  ['migrate-engine', ['--to'], 'El valor de la opción --to falta o sobra.'],
  ['verify-ledger', ['all'], 'Argumento desconocido: all.'],
  ['verify-statement', [], 'Falta el archivo del extracto.'],
  ['admin', [], 'Falta la acción.'],
  ['admin', ['frobnicate'], 'Acción desconocida: frobnicate.'],
  ['admin', ['create'], 'Falta la dirección de correo.'],
])('%s %j cannot be meant: it shows the usage and ends with 2', async ([name, given, sentence]) => {
  const { code, stderr } = await runCommand(name, given, { DATA_DIR: await emptyDirectory() })

  expect(code).toBe(2)
  expect(stderr).toContain(`${sentence}\nUso: npm run ${name}`)
})

test.for([
  ['migrate-engine', '--to', 'postgress://user:geheim@host/bank'],
  ['migrate-engine', '--to', 'mysql://user:geheim@host/bank'],
  ['backup', '--to', 'sftp://user:geheim@host/one.backup'],
  ['restore', 'sftp://user:geheim@host/one.backup'],
  ['verify-statement', 'sftp://user:geheim@host/one.pdf'],
] as const)('%s does not take an address for a path, and does not repeat it', async ([name, ...given]) => {
  const DATA_DIR = join(await emptyDirectory(), 'data')

  const { code, stderr } = await runCommand(name, given, { DATA_DIR })

  expect(stderr).toContain('Una dirección con :// no es un archivo ni un directorio')
  expect(stderr).not.toContain('geheim')
  const made = [DATA_DIR, 'postgress:', 'mysql:', 'sftp:'].filter((path) => existsSync(path))
  expect({ code, made }).toEqual({ code: 2, made: [] })
})

test.for([
  'admin',
  'backup',
  'restore',
  'migrate-engine',
  'verify-ledger',
  'verify-statement',
  'hosted-page',
])('%s says how it is called when it is asked, in a place without a bank too', async (name) => {
  for (const flag of ['--help', '-h']) {
    const { code, stdout, stderr } = await runCommand(name, [flag], {})

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Uso: .*npm run /)
  }
})

describe('nothing is made', () => {
  const cluster = clusterOfFile()
  /** A directory that a command may make, and does not. */
  const missingDirectory = async () => join(await emptyDirectory(), 'data')
  const calls: [string, ...string[]][] = [
    ['verify-ledger'],
    ['admin', 'list'],
    ['admin', 'create', 'sola@banco.example'],
    ['backup'],
    ['migrate-engine', '--to', 'moved'],
  ]

  test('where the backup is not there', async () => {
    const DATA_DIR = await missingDirectory()

    const { code, stderr } = await runCommand('restore', ['missing.backup'], { DATA_DIR })

    expect(code).toBe(1)
    expect(stderr).toMatch(/^No existe el archivo .*missing\.backup\.\n$/)
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  test.for(Object.keys(hosted))('of a hosted page without %s, and the sentence names it', async (name) => {
    const out = await missingDirectory()

    const { code, stderr } = await runCommand('hosted-page', ['--out', out], { ...hosted, [name]: '' })

    expect(stderr).toContain(`Falta ${name}`)
    expect({ code, isBuilt: existsSync(out) }).toEqual({ code: 1, isBuilt: false })
  })

  test('of a hosted page over a directory of something else, and nothing is deleted', async () => {
    const out = await emptyDirectory()
    await writeFile(join(out, 'index.html'), 'somebody’s page')

    const { code, stderr } = await runCommand('hosted-page', ['--out', out], hosted)

    expect(stderr).toContain(`${out} no está vacío ni es una página anterior`)
    expect({ code, files: readdirSync(out) }).toEqual({ code: 2, files: ['index.html'] })
  })

  test.for(calls)('in a directory without a bank by %s %s', async ([name, ...given]) => {
    const DATA_DIR = await missingDirectory()

    const { code, stderr } = await runCommand(name, inside(DATA_DIR, given), { DATA_DIR })

    expect(stderr).toContain(`No hay ningún banco en ${DATA_DIR}`)
    expect({ code, isMade: existsSync(DATA_DIR) }).toEqual({ code: 1, isMade: false })
  })

  // The embedded engine has no place but the directory.
  describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
    const ask = (query: string) => askPsql(cluster(), superuserUrlOf(cluster(), cluster().ownerUrl), query)
    const variablesOf = (DATA_DIR: string) => ({ DATA_DIR, DATABASE_URL: cluster().ownerUrl })

    test.for(calls)('in a database without a bank by %s %s', async ([name, ...given]) => {
      const DATA_DIR = await missingDirectory()
      const variables = { ...variablesOf(DATA_DIR), JWT_SECRET: randomUUID() }

      const { code, stderr } = await runCommand(name, inside(DATA_DIR, given), variables)

      expect(stderr).toContain('No hay ningún banco en la base de datos')
      expect({ code, isMade: existsSync(DATA_DIR) }).toEqual({ code: 1, isMade: false })
      const schemas = "select nspname from pg_namespace where nspname in ('auth', 'ledger')"
      expect(await ask(schemas)).toEqual([])
    })

    test('of the login of the servers, whatever secret a command has, and only a backup makes a directory', async () => {
      await startReady({ ...variablesOf(await emptyDirectory()), JWT_SECRET: randomUUID() })
      const passwordNow = () =>
        ask(`select rolpassword from pg_authid where rolname = 'authenticator_finanzas'`)
      const password = await passwordNow()

      const codes: (number | null)[] = []
      for (const [name, ...given] of [
        ['verify-ledger'],
        ['admin', 'list'],
        ['admin', 'unblock', 'nadie@banco.example'],
        ['admin', 'create', 'sola@banco.example'],
        ['backup'],
      ] as [string, ...string[]][]) {
        for (const secret of [{}, { JWT_SECRET: randomUUID() }]) {
          const DATA_DIR = await missingDirectory()
          codes.push((await runCommand(name, given, { ...variablesOf(DATA_DIR), ...secret })).code)
          // A key made here would be taken for the bank's by a later restore.
          expect([name, existsSync(DATA_DIR)]).toEqual([name, name === 'backup'])
        }
      }

      expect(await passwordNow()).toEqual(password)
      // There is no ban to lift; the second time there is an administrator already.
      expect(codes).toEqual([0, 0, 0, 0, 1, 1, 0, 1, 0, 0])
    })
  })

  /** The arguments, with the directory to move to put beside the one that is missing. */
  const inside = (dataDir: string, given: readonly string[]) =>
    given.map((word) => (word === 'moved' ? join(dataDir, word) : word))
})
