/**
 * A bank of each release can be restored and upgraded. A release of this tree, which the test makes in a temporary
 * directory as `npm run release` does, stands for the releases that do not exist yet.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RestoreTarget, restoreBackup, withOwnersRights } from '#server/backup/restore.ts'
import { readTables } from '#server/backup/tables.ts'
import { sql } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { type TemporaryDirectory, temporaryDirectory } from '#testing/data-directory.ts'
import { bankEnvironment, paperFiles } from '#tools/release/filled-bank.ts'
import { writeRelease } from '#tools/release/release.ts'
import { backupFile, readReleases } from '#tools/release/releases.ts'
import { type Banks, openBank } from './banks.ts'
import { openBanks } from './database.ts'
import { nextRelease } from './next-release.ts'

let banks: Banks
let directory: TemporaryDirectory

beforeAll(async () => {
  banks = await openBanks()
  directory = await temporaryDirectory()
  const facts = { version: '9.9.9', commit: 'this tree', date: '2026-12-01' }
  await writeRelease(join(directory.path, facts.version), facts)
}, 600_000)
afterAll(async () => {
  await banks.removeAll()
  await directory.remove()
})

test(
  'the bank and the papers of each release hold in this version and in a version that changes its tables',
  { timeout: 600_000 },
  async () => {
    const releases = [...readReleases(), ...readReleases(directory.path)]
    expect(releases.length).toBeGreaterThan(0)
    for (const { folder } of releases) {
      const target = await banks.emptyTarget()
      // The restore upgrades the bank and verifies its ledger.
      const { contents } = await restoreBackup(target, join(folder, backupFile), { signedBy: null })
      expect(contents.tables.filter(({ lines }) => lines === 0)).toEqual([])
      for (const paper of paperFiles) await verifyPaper(target, join(folder, paper))

      const bank = await openBank(target)
      const { owner } = bank
      await migrate(owner, null, nextRelease())
      // The verification covers the journal, the balances, the audit, the transfers and the clearing files.
      const verdict = await verifyLedger(withOwnersRights(owner))
      expect(verdict.broken).toBeNull()
      expect(verdict.entries).toBeGreaterThan(15)
      expect((await readTables(owner)).map(({ name }) => name)).toContain('ledger.later')
      expect(
        await owner.query(
          sql`select later, balance from public.budgets where later is distinct from balance`,
        ),
      ).toEqual([])
      await bank.close()
    }
  },
)

/** Compares a paper with the ledger of a restored bank, as an operator does. */
async function verifyPaper(target: RestoreTarget, file: string): Promise<void> {
  const place =
    target.engine === 'pglite'
      ? { DATA_DIR: target.dataDir }
      : { DATA_DIR: join(directory.path, 'data'), DATABASE_URL: target.url }
  const program = ['server/operator/commands/verify-statement.ts', file]
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    env: { PATH: process.env['PATH'], ...bankEnvironment, ...place },
  })
  expect(stdout).toContain('Es auténtico')
  expect(stdout).toMatch(/asientos? coinciden?|El asiento coincide/)
}
