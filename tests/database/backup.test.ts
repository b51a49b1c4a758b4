/** Backup and restore (security.md BK-02 to BK-05). */
import { createHash, generateKeyPairSync, randomInt } from 'node:crypto'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginSnapshot } from '#server/backup/contents.ts'
import { type Manifest, manifestText, readManifest } from '#server/backup/manifest.ts'
import { readLines } from '#server/backup/read-file.ts'
import { type RestoreTarget, restoreBackup } from '#server/backup/restore.ts'
import { fingerprintOf } from '#server/backup/signing-key.ts'
import { leftOut, readTables } from '#server/backup/tables.ts'
import { type Config, readConfig } from '#server/settings/config.ts'
import { sql } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { BankMoved } from '#server/database/moved.ts'
import { connectOwner } from '#server/database/postgres/postgres.ts'
import { preparePostgres } from '#server/database/postgres/prepare.ts'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import { requireBank } from '#server/operator/command.ts'
import {
  type Banks,
  type OpenBank,
  backUp,
  move,
  openBank,
  restoreDamaged,
  roundTrip,
  rowsOf,
} from './banks.ts'
import { openBanks } from './database.ts'
import { nextRelease } from './next-release.ts'
import { fillRandomly } from './random-bank.ts'

let banks: Banks
let bank: OpenBank
let file: string

beforeAll(async () => {
  banks = await openBanks()
  bank = await banks.newBank()
  await fillRandomly(bank.owner, 7)
  file = (await backUp(banks, bank.source)).file
})
afterAll(async () => {
  await bank.close()
  await banks.removeAll()
})

const restore = async (path: string, signedBy: string | null = null) => {
  const target = await banks.emptyTarget()
  await restoreBackup(target, path, { signedBy })
  return target
}

test('a restored bank equals the original bank byte for byte', { timeout: 120_000 }, async () => {
  const seed = randomInt(2 ** 31)

  const { differing, rows } = await roundTrip(banks, banks, seed)

  expect({ seed, differing }).toEqual({ seed, differing: [] })
  expect(rows).toBeGreaterThan(10)
})

test('every table is either in a backup or on the list of exceptions', async () => {
  const tables = await bank.owner.query<{ name: string }>(sql`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)

  const manifest = await manifestOf(file)

  // These tables contain neither personal data nor money nor entries of the two hash chains.
  expect(Object.keys(leftOut).toSorted()).toEqual([
    'finanzas_restore.unfinished',
    'ledger.daily_check',
    'private.alarms',
    'private.jobs',
    'private.mailed_alarms',
    'private.servers',
    'private.synchronous_standby',
    'realtime.epochs',
    'realtime.outbox',
    'supabase_migrations.platform_migrations',
    'supabase_migrations.schema_migrations',
  ])
  expect(manifest.contents.tables.map(({ name }) => name).toSorted()).toEqual(
    tables
      .map(({ name }) => name)
      .filter((name) => !Object.hasOwn(leftOut, name))
      .toSorted(),
  )
})

test(
  'a backup that is damaged anywhere is refused, and nothing is written',
  { timeout: 60_000 },
  async () => {
    const seed = randomInt(2 ** 31)

    expect({ seed, accepted: await restoreDamaged(banks, file, { count: 100, seed }) }).toEqual({
      seed,
      accepted: [],
    })
  },
)

test('a backup that is not signed with the expected key is refused', async () => {
  const { publicKey } = await manifestOf(file)
  const forged = await resign(file, 'forged', (manifest) => manifest)

  await expect(restore(forged, fingerprintOf(publicKey))).rejects.toThrowError(/está firmado con la clave/)
})

test('a backup whose rows do not match its signed manifest is refused', async () => {
  const other = await resign(file, 'other-contents', (manifest) => ({
    ...manifest,
    contents: { ...manifest.contents, sequences: { ...manifest.contents.sequences, sha256: '0'.repeat(64) } },
  }))

  await expect(restore(other)).rejects.toThrowError(/dañado/)
})

test('a restore into a directory or database that already contains a bank is refused', async () => {
  const target = await restore(file)

  await expect(restoreBackup(target, file, { signedBy: null })).rejects.toThrowError(
    /Ya hay un banco|no está vacía/,
  )
})

test(
  'a moved bank starts only in its new location until the mark in the old location is removed',
  { timeout: 120_000 },
  async () => {
    const old = await banks.newBank()
    const here = old.target
    await old.close()

    const there = await move(banks, here)

    const [sentence, mark] = await refusal(starting(here))
    expect(sentence).toContain(`se trasladó a ${placeOf(there)} el `)
    expect(await refusal(requireBank(configOf(here)))).toEqual([sentence, mark])
    await expect(starting(there)).resolves.toBeTruthy()
    await expect(requireBank(configOf(there))).resolves.toBeUndefined()
    if (here.engine === 'pglite') await rm(mark)
    else await askOwner(here.url, mark)
    await expect(starting(here)).resolves.toBeTruthy()
  },
)

test('a restored older schema is migrated without changing the data', { timeout: 60_000 }, async () => {
  const release = nextRelease()
  const target = await banks.emptyTarget()

  await restoreBackup(target, file, { signedBy: null, release })

  const restored = await openBank(target)
  // The newer migrations add columns and tables.
  expect(await rowsOf(restored)).toMatchObject(await rowsOf(bank))
  expect(await restored.owner.query(sql`select count(later)::int as rows from public.budgets`)).toEqual([
    { rows: (await rowsOf(bank))['public.budgets']?.length },
  ])
  expect(await migrate(restored.owner, null, release)).toEqual([])
  await restored.close()
})

test('a backup with a newer schema or format is refused, and the message names the release that made the backup', async () => {
  const migration = { version: '29990101000000', name: 'tomorrow', sha256: null }
  const newerSchema = await resign(file, 'newer-schema', (manifest) => ({
    ...manifest,
    release: '9.1.0',
    migrations: { ...manifest.migrations, product: [...manifest.migrations.product, migration] },
  }))
  const newerForm = await resign(file, 'newer-form', (manifest) => ({
    ...manifest,
    format: 2,
    release: '9.2.0',
  }))

  await expect(restore(newerSchema)).rejects.toThrowError(/versión 9\.1\.0.*29990101000000_tomorrow/)
  await expect(restore(newerForm)).rejects.toThrowError(/versión 9\.2\.0/)
})

test('a backup of a state that was never released is refused, and the message says what to do', async () => {
  const [newest] = (await manifestOf(file)).migrations.product.toReversed()
  const unreleased = await resign(file, 'unreleased', ({ migrations, ...manifest }) => ({
    ...manifest,
    migrations: {
      ...migrations,
      product: migrations.product.map((one) => ({ ...one, sha256: '0'.repeat(64) })),
    },
  }))

  const refusal = restore(unreleased)

  await expect(refusal).rejects.toThrowError(`${newest?.version}_${newest?.name} tiene allí otro texto`)
  await expect(refusal).rejects.toThrowError(/que no se publicó.*sigue con el programa que la creó/)
})

// For the embedded engine, nightly/process/backup.test.ts tests this rule by killing the process.
test.runIf(process.env['ENGINE'] === 'postgres')(
  'an interrupted restore keeps the database closed until the same backup is restored',
  { timeout: 120_000 },
  async () => {
    const target = await banks.emptyTarget()
    const another = await banks.newBank()
    const other = await backUp(banks, another.source)
    await another.close()
    const watcher = await openBank(target)
    // Interrupts the restore at its beginning, during the migrations, and after them.
    for (const sign of ['finanzas_restore.unfinished', 'auth.users', 'public.transactions']) {
      const restoring = restoreBackup(target, file, { signedBy: null }).catch((error: unknown) => error)
      await expect.poll(() => isThere(watcher, sign), { timeout: 60_000, interval: 1 }).toBe(true)
      await watcher.owner.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
      expect(await restoring).toBeInstanceOf(Error)
      await refusesToServe(target)
    }
    await expect(restoreBackup(target, other.file, { signedBy: null })).rejects.toThrowError(
      'la restauración de otra copia',
    )

    await restoreBackup(target, file, { signedBy: null })

    expect(await rowsOf(watcher)).toEqual(await rowsOf(bank))
    expect(await migrate(watcher.owner)).toEqual([])
    expect(await isThere(watcher, 'finanzas_restore.unfinished')).toBe(false)
    await watcher.close()
  },
)

test(
  'a bank whose journal was changed cannot be served, and the refusal names the changed entry',
  { timeout: 60_000 },
  async () => {
    const tampered = await banks.newBank()
    await fillRandomly(tampered.owner, 23)
    const [entry] = await tampered.owner.query<{ user_id: string; seq: number }>(
      sql`select user_id, seq from ledger.journal order by user_id, seq limit 1`,
    )
    await tampered.owner.script(`
      alter table ledger.journal disable trigger user;
      update ledger.journal set delta = delta + 0.01 where user_id = '${entry?.user_id}' and seq = ${entry?.seq};
      alter table ledger.journal enable trigger user`)
    const saved = await backUp(banks, tampered.source)
    await tampered.close()
    const target = await banks.emptyTarget()

    await expect(restoreBackup(target, saved.file, { signedBy: null })).rejects.toThrowError(
      `el cliente ${entry?.user_id}, asiento ${entry?.seq}`,
    )
    await refusesToServe(target)
  },
)

test('a restore is refused if the stored rows differ from the backup, and the bank cannot be served', async () => {
  // The backup is valid and signed, but its JSON has an extra space. The restored row therefore differs from the
  // backup, because the database formats JSON without this space.
  const odd = await rewrite(file, 'odd', (body) =>
    body.replace(String.raw`"{\"full_name\": `, String.raw`"{\"full_name\":  `),
  )
  const target = await banks.emptyTarget()

  await expect(restoreBackup(target, odd, { signedBy: null })).rejects.toThrowError(
    /la tabla auth\.users no coincide/,
  )
  await refusesToServe(target)
})

test('a backup fails when foreign keys form a cycle', async () => {
  const odd = await banks.newBank()
  await odd.owner.script(`
    create table public.hen (id int primary key, egg int);
    create table public.egg (id int primary key, hen int references public.hen);
    alter table public.hen add foreign key (egg) references public.egg;`)

  await beginSnapshot(odd.owner, banks.engine)
  await expect(readTables(odd.owner)).rejects.toThrowError(/form a cycle: public\.egg, public\.hen/)

  await odd.owner.script('rollback')
  await odd.close()
})

test(
  'a backup contains tables that no migration creates, and the refusal of the restore names these tables',
  { timeout: 60_000 },
  async () => {
    const extended = await banks.newBank()
    await extended.owner.script(
      'create table public.of_our_own (id int primary key); insert into public.of_our_own values (1)',
    )
    const saved = await backUp(banks, extended.source)
    await extended.close()

    expect((await manifestOf(saved.file)).contents.tables).toContainEqual(
      expect.objectContaining({ name: 'public.of_our_own', lines: 1 }),
    )
    await expect(restore(saved.file)).rejects.toThrowError('public.of_our_own')
  },
)

async function isThere({ owner }: OpenBank, table: string): Promise<boolean> {
  const [answer] = await owner.query<{ found: boolean }>(
    sql`select to_regclass(${table}) is not null as found`,
  )
  return answer?.found === true
}

async function manifestOf(path: string): Promise<Manifest> {
  const read = readManifest(await readFile(path))
  if (read === null) throw new Error('No manifest.')
  return read.manifest
}

/** Writes a forged backup with unchanged contents and with a changed manifest, which is signed with another key. */
async function resign(path: string, name: string, change: (manifest: Manifest) => Manifest): Promise<string> {
  const bytes = await readFile(path)
  const manifest = await manifestOf(path)
  const { privateKey } = generateKeyPairSync('ed25519')
  const forged = join(banks.directory, `${name}.backup`)
  const end = manifestText(change(manifest), privateKey)
  await writeFile(forged, Buffer.concat([bytes.subarray(0, manifest.body.bytes), Buffer.from(end)]))
  return forged
}

/** Writes a backup with changed contents and a matching, signed manifest. */
async function rewrite(path: string, name: string, change: (body: string) => string): Promise<string> {
  const bytes = await readFile(path)
  const manifest = await manifestOf(path)
  const before = gunzipSync(bytes.subarray(0, manifest.body.bytes)).toString()
  const after = change(before)
  if (after === before) throw new Error('Nothing was changed.')
  const body = gzipSync(after)
  const rewritten = join(banks.directory, `${name}.backup`)
  await writeFile(rewritten, body)
  const sha256 = createHash('sha256').update(body).digest('hex')
  const changed = { ...manifest, body: { bytes: body.length, sha256 } }
  const contents = await readLines(rewritten, changed, () => Promise.resolve())
  const { privateKey } = generateKeyPairSync('ed25519')
  await appendFile(rewritten, manifestText({ ...changed, contents }, privateKey))
  return rewritten
}

/** Asserts that no server can start on the target. */
async function refusesToServe(target: RestoreTarget): Promise<void> {
  await expect(starting(target)).rejects.toThrowError(/restauración en .* quedó a medias/)
}

/** Prepares the database in the same way as a server at startup. */
function starting(target: RestoreTarget): Promise<unknown> {
  return target.engine === 'pglite'
    ? initialisedEngineDirectory(target.dataDir)
    : preparePostgres({ ...target, jwtSecret: 'one secret for every database of the test cluster' })
}

/** Returns the configuration of a command that runs on the target. */
function configOf(target: RestoreTarget): Config {
  return readConfig(target.engine === 'pglite' ? { DATA_DIR: target.dataDir } : { DATABASE_URL: target.url })
}

/**
 * Returns the refusal's message, and how to remove the mark that the message mentions: the file to delete or the
 * SQL statement to run.
 */
async function refusal(refused: Promise<unknown>): Promise<[sentence: string, mark: string]> {
  const error: unknown = await refused.catch((thrown: unknown) => thrown)
  const sentence = error instanceof BankMoved ? error.message : ''
  return [sentence, /(?:borra (.*)\.|ejecuta allí: (.*))$/.exec(sentence)?.slice(1).join('') ?? '']
}

/** Returns the directory or the database address that a refusal contains. */
function placeOf(target: RestoreTarget): string {
  if (target.engine === 'pglite') return target.dataDir
  const { host, pathname } = new URL(target.url)
  return `${host}${pathname}`
}

async function askOwner(url: string, statement: string): Promise<void> {
  const owner = await connectOwner(url)
  await owner.script(statement)
  await owner.close()
}
