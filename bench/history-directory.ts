/** A directory of the embedded engine with long histories, made once; whoever works in it gets a copy of it. */
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { type Owner, sql } from '#server/database/database.ts'
import { emailOf } from './customers.ts'
import { makeEmbeddedDirectory } from './embedded-bank.ts'
import { fillLongHistories } from './long-histories.ts'

/** The password of customer 1. */
export const password = 'una clave que nadie más usa'

export type HistoryDirectory = {
  /** A `DATA_DIR` with the histories of `long-histories.ts`, for one scenario. */
  readonly copy: () => string
  readonly close: () => Promise<void>
}

/** Makes the directory, in which everything adds up as `verifyLedger` wants it. */
export async function makeHistoryDirectory(): Promise<HistoryDirectory> {
  const place = await mkdtemp(join(tmpdir(), 'finanzas-histories-'))
  const original = join(place, 'original')
  let copies = 0
  await makeEmbeddedDirectory(original, fill)
  return {
    copy() {
      copies += 1
      const directory = join(place, `copy-${copies}`)
      cpSync(original, directory, { recursive: true })
      return directory
    },
    close: () => rm(place, { recursive: true, force: true }),
  }
}

async function fill(owner: Owner): Promise<void> {
  const stored = await hash(password)
  await fillLongHistories(owner)
  await owner.query(sql`update auth.users set encrypted_password = ${stored} where email = ${emailOf(1)}`)
}
