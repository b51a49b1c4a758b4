/**
 * The operator's commands. The tests run `npm run admin` with and without a running server, pass wrong arguments, and
 * use directories that contain no bank.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readStatementCsv, statementCsv } from '@finanzas/contract/papers/csv.ts'
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import { statementKeysPath } from '@finanzas/contract/papers/signature.ts'
import { describe, expect, test } from 'vitest'
import { askPsql, superuserUrlOf } from '#testing/cluster-databases.ts'
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

  test('a locked-out administrator can regain access while the server runs, and the audit records every step', async () => {
    const server = await startBank()
    const { dataDir } = server
    const before = await signIn(server)

    const created = await admin(dataDir, 'create', 'Segunda@Banco.example', '--name', 'Segunda')
    const reset = await admin(dataDir, 'reset-access', administrator.email)
    const passwordIn = ({ result }: typeof reset) => (result as { password: string }).password

    // The old password and the old session no longer work, but the new password works.
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

  test('an admin command opens the bank itself if no server is running', async () => {
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
        'sola@banco.example está bloqueado, hasta el ',
      ],
      [['change-email', 'sola@banco.example'], 2, 'Falta la dirección nueva.'],
      [['unblock', 'sola@banco.example'], 0, 'sola@banco.example ya no está bloqueado.'],
    ] as const)
      expect(await admin(dataDir, ...call)).toMatchObject({
        code,
        stderr: expect.stringContaining(sentence) as string,
      })
  })
})

test('verify-statement confirms a genuine statement while the server runs, and detects an altered statement', async () => {
  const server = await startBank()
  const { client } = await signIn(server)
  const issue = async () => {
    const { data } = await client.functions.invoke<{ csv: string }>('statement', {
      body: { month: '2026-01' },
    })
    return data?.csv ?? ''
  }
  const csv = await issue()
  const { data: pdf } = await client.functions.invoke<Blob>('statement', {
    body: { month: '2026-01', format: 'pdf' },
  })
  if (pdf === null) throw new Error('No PDF was issued.')
  const paper = Buffer.from(await pdf.arrayBuffer())
  const folder = await emptyDirectory()
  const write = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  const verify = async (name: string, content: string | Uint8Array, ...options: string[]) => {
    const path = await write(name, content)
    const { code, stdout, stderr } = await runCommand('verify-statement', [path, ...options], {
      DATA_DIR: server.dataDir,
    })
    return [code, `${stdout}${stderr}`.split(' ').slice(0, 3).join(' ')]
  }
  const authentic = [0, 'Es auténtico el']
  const forged = [1, 'NO ES AUTÉNTICO']
  const statement = readStatementCsv(csv)
  if (statement === null) throw new Error('This is not a statement.')

  expect(await verify('table.csv', csv)).toEqual(authentic)
  expect(await verify('paper.pdf', paper)).toEqual(authentic)
  expect(await verify('revised.pdf', Buffer.concat([paper, Buffer.from('\n%%EOF\n')]))).toEqual([
    1,
    `${folder}/revised.pdf NO ES`,
  ])
  for (const part of [
    { currency: 'COP' },
    { bankName: 'Bancolombia S.A.' },
    { customer: 'Otra' },
    { issuedAt: '2026-02-01 09:00' },
    { account: randomUUID() },
    { lastSeq: 2 },
  ] as const)
    expect(await verify('forged.csv', statementCsv({ ...statement, ...part }))).toEqual(forged)
  expect(await verify('other.pdf', Buffer.from('%PDF-1.7'))).toEqual([1, `${folder}/other.pdf NO ES`])

  // The command works without a bank, because it can read the published keys from a file.
  const published = await fetch(`${server.url}${statementKeysPath}`)
  const keys = await write('keys.json', await published.text())
  expect(await verify('offline.csv', csv, '--key', keys)).toEqual(authentic)
  expect(await verify('offline.pdf', paper, '--key', keys)).toEqual(authentic)
  for (const options of [[], ['--key', keys]]) {
    const { stdout } = await runCommand('verify-statement', [join(folder, 'offline.csv'), ...options], {
      DATA_DIR: server.dataDir,
    })
    expect(stdout).toContain(statementCopy.declared)
  }
  expect(await verify('offline.csv', csv.replace('USD', 'COP'), '--key', keys)).toEqual(forged)
  expect(await verify('offline.csv', csv, '--key', join(folder, 'table.csv'))).toEqual([
    2,
    `${folder}/table.csv no es`,
  ])
  // A bank that did not sign the statement has different keys.
  const elsewhere = await startBank()
  const { code, stdout } = await runCommand('verify-statement', [join(folder, 'table.csv')], {
    DATA_DIR: elsewhere.dataDir,
  })
  expect([code, stdout]).toEqual([
    1,
    `NO ES AUTÉNTICO el extracto de enero de 2026 de la cuenta ${statement.account}: está firmado con una clave que no es de este banco.\n`,
  ])

  const unsigned = statementCsv({ ...statement, signature: null })
  expect(await verify('unsigned.csv', unsigned)).toEqual([1, 'SIN FIRMA el'])
  expect(await verify('unsigned.csv', unsigned, '--key', keys)).toEqual([1, 'SIN FIRMA el'])

  const retired = await runCommand('admin', ['new-statement-key', '--json'], { DATA_DIR: server.dataDir })
  expect(retired).toMatchObject({ code: 0, stdout: `{"kid":"${statement.signature?.kid}"}\n` })
  const next = await issue()
  expect(readStatementCsv(next)?.signature?.kid).not.toBe(statement.signature?.kid)
  expect(await verify('before.csv', csv)).toEqual(authentic)
  expect(await verify('after.csv', next)).toEqual(authentic)
  const missing = await runCommand('verify-statement', [join(folder, 'none')], { DATA_DIR: server.dataDir })
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No existe el archivo .*none\.\n$/) as string,
  })
})

test('rebuilding a hosted page replaces every file of the earlier build', async () => {
  const out = await emptyDirectory()
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = join(await emptyDirectory(), 'keys.pem')
  await writeFile(keys, publicKey.export({ type: 'spki', format: 'pem' }))
  const build = () => runCommand('hosted-page', ['--out', out, '--statement-keys', keys], hosted)
  expect(await build()).toMatchObject({ code: 0 })
  await writeFile(join(out, 'assets', 'old.js'), '')

  expect(await build()).toMatchObject({ code: 0 })

  expect(existsSync(join(out, 'assets', 'old.js'))).toBe(false)
  const { x } = publicKey.export({ format: 'jwk' })
  expect(JSON.parse(await readFile(join(out, statementKeysPath), 'utf8'))).toMatchObject({ keys: [{ x }] })
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
  ['verify-statement', [], 'Falta el archivo del extracto o comprobante.'],
  ['admin', [], 'Falta la acción.'],
  ['admin', ['frobnicate'], 'Acción desconocida: frobnicate.'],
  ['admin', ['create'], 'Falta la dirección de correo.'],
])('%s %j shows the usage and ends with 2', async ([name, given, sentence]) => {
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
] as const)(
  '%s refuses an address in place of a path and does not print the address',
  async ([name, ...given]) => {
    const DATA_DIR = join(await emptyDirectory(), 'data')

    const { code, stderr } = await runCommand(name, given, { DATA_DIR })

    expect(stderr).toContain('Una dirección con :// no es un archivo ni un directorio')
    expect(stderr).not.toContain('geheim')
    const made = [DATA_DIR, 'postgress:', 'mysql:', 'sftp:'].filter((path) => existsSync(path))
    expect({ code, made }).toEqual({ code: 2, made: [] })
  },
)

test.for([
  'admin',
  'backup',
  'restore',
  'migrate-engine',
  'verify-ledger',
  'verify-statement',
  'hosted-page',
])('%s prints its usage on request, even without a bank', async (name) => {
  for (const flag of ['--help', '-h']) {
    const { code, stdout, stderr } = await runCommand(name, [flag], {})

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Uso: .*npm run /)
  }
})

describe('a refused command changes nothing', () => {
  const cluster = clusterOfFile()
  /** Returns the path of a directory that does not exist and that no command is allowed to create. */
  const missingDirectory = async () => join(await emptyDirectory(), 'data')
  const calls: [string, ...string[]][] = [
    ['verify-ledger'],
    ['admin', 'list'],
    ['admin', 'create', 'sola@banco.example'],
    ['backup'],
    ['migrate-engine', '--to', 'moved'],
  ]

  test('the command `restore` without a backup file creates no directory', async () => {
    const DATA_DIR = await missingDirectory()

    const { code, stderr } = await runCommand('restore', ['missing.backup'], { DATA_DIR })

    expect(code).toBe(1)
    expect(stderr).toMatch(/^No existe el archivo .*missing\.backup\.\n$/)
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  test.for(Object.keys(hosted))(
    'hosted-page without %s names the missing variable and builds nothing',
    async (name) => {
      const out = await missingDirectory()

      const { code, stderr } = await runCommand('hosted-page', ['--out', out], { ...hosted, [name]: '' })

      expect(stderr).toContain(`Falta ${name}`)
      expect({ code, isBuilt: existsSync(out) }).toEqual({ code: 1, isBuilt: false })
    },
  )

  test('hosted-page does not change a directory that contains other files', async () => {
    const out = await emptyDirectory()
    await writeFile(join(out, 'index.html'), 'somebody’s page')

    const { code, stderr } = await runCommand('hosted-page', ['--out', out], hosted)

    expect(stderr).toContain(`${out} no está vacío ni es una página anterior`)
    expect({ code, files: readdirSync(out) }).toEqual({ code: 2, files: ['index.html'] })
  })

  test.for(calls)('in a directory without a bank %s %s creates nothing', async ([name, ...given]) => {
    const DATA_DIR = await missingDirectory()

    const { code, stderr } = await runCommand(name, inside(DATA_DIR, given), { DATA_DIR })

    expect(stderr).toContain(`No hay ningún banco en ${DATA_DIR}`)
    expect({ code, isMade: existsSync(DATA_DIR) }).toEqual({ code: 1, isMade: false })
  })

  // The tests above cover the embedded engine, whose directory contains the whole bank.
  describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
    const ask = (query: string) => askPsql(cluster(), superuserUrlOf(cluster(), cluster().ownerUrl), query)
    const variablesOf = (DATA_DIR: string) => ({ DATA_DIR, DATABASE_URL: cluster().ownerUrl })

    test.for(calls)('in a database without a bank %s %s creates nothing', async ([name, ...given]) => {
      const DATA_DIR = await missingDirectory()
      const variables = { ...variablesOf(DATA_DIR), JWT_SECRET: randomUUID() }

      const { code, stderr } = await runCommand(name, inside(DATA_DIR, given), variables)

      expect(stderr).toContain('No hay ningún banco en la base de datos')
      expect({ code, isMade: existsSync(DATA_DIR) }).toEqual({ code: 1, isMade: false })
      const schemas = "select nspname from pg_namespace where nspname in ('auth', 'ledger')"
      expect(await ask(schemas)).toEqual([])
    })

    test('a command cannot change the serving login’s password, whichever secret the command has', async () => {
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
          // Only the backup creates this directory. A later restore would mistake a key that another command created
          // there for the bank's key.
          expect([name, existsSync(DATA_DIR)]).toEqual([name, name === 'backup'])
        }
      }

      expect(await passwordNow()).toEqual(password)
      // Both `unblock` commands fail, because the account does not exist. The second `create` fails, because the
      // administrator already exists.
      expect(codes).toEqual([0, 0, 0, 0, 1, 1, 0, 1, 0, 0])
    })
  })

  /**
   * Returns the command's arguments. The target directory `moved` in these arguments lies inside the missing directory.
   */
  const inside = (dataDir: string, given: readonly string[]) =>
    given.map((word) => (word === 'moved' ? join(dataDir, word) : word))
})
