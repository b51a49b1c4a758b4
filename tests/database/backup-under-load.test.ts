/** Backs up a bank while customers write to it (security.md BK-01). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restoreBackup } from '#server/backup/restore.ts'
import { sql } from '#server/database/database.ts'
import { type Banks, type OpenBank, backUp, openBank } from './banks.ts'
import { openBanks } from './database.ts'

const writersMax = 4
const customers = Array.from({ length: writersMax }, () => randomUUID())

let banks: Banks
let bank: OpenBank

beforeAll(async () => {
  banks = await openBanks()
  bank = await banks.newBank()
  for (const id of customers)
    await bank.owner.query(sql`insert into auth.users (id, email) values (${id}, ${`${id}@banco.example`})`)
})
afterAll(async () => {
  await bank.close()
  await banks.removeAll()
})

test(
  'requests continue during a backup, and the backup is a consistent snapshot',
  { timeout: 120_000 },
  async () => {
    const end = new AbortController()
    const writers = await Promise.all(customers.map((customer) => openWriter(customer)))
    const writing = writers.map((writer) => writer.writeUntil(end.signal))
    // A checkpoint changes the engine's files. If a backup copied some files before a checkpoint and other files after
    // the checkpoint, it would be inconsistent.
    if (banks.engine === 'pglite') writing.push(checkpointUntil(end.signal))
    await expect
      .poll(() => Math.min(...writers.map(({ written }) => written.length)), { timeout: 30_000 })
      .toBeGreaterThan(20)
    const before = writers.map(({ written }) => [...written])

    const report = await backUp(banks, bank.source)

    end.abort()
    // Throws if a write has failed.
    await Promise.all(writing)
    expect(writers.every(({ written }, index) => written.length > (before[index]?.length ?? 0))).toBe(true)
    const target = await banks.emptyTarget()
    // A restore verifies every hash chain, and compares every balance with the customer's chain and transactions.
    await restoreBackup(target, report.file, { signedBy: null })
    const restored = await openBank(target)
    const kept = await restored.owner.query<{ id: string; seq: number }>(sql`
    select transaction_id::text as id, seq from ledger.journal`)
    const saved = new Set(kept.map(({ id }) => id))
    expect(before.flat().filter((id) => !saved.has(id))).toEqual([])
    // For each customer, the backup contains all writes up to some point in time, and no later writes.
    for (const { written } of writers) {
      const present = written.map((id) => saved.has(id))
      expect(present.indexOf(false) === -1 || !present.slice(present.indexOf(false)).includes(true)).toBe(
        true,
      )
    }
    await restored.close()
    for (const writer of writers) await writer.close()
  },
)

async function checkpointUntil(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await bank.owner.query(sql`checkpoint`)
}

/** Returns a writer that records one expense of the customer after another. */
async function openWriter(customer: string) {
  // On the embedded engine, all writers share its only connection.
  const own = bank.source.engine === 'postgres' ? await openBank(bank.target) : null
  const owner = own?.owner ?? bank.owner
  const written: string[] = []
  return {
    written,
    async writeUntil(signal: AbortSignal) {
      while (!signal.aborted) {
        const id = randomUUID()
        await owner.query(sql`
          insert into public.transactions (user_id, id, type, description, amount)
          values (${customer}, ${id}, 'expense', 'Café', 1.10)`)
        written.push(id)
      }
    },
    close: async () => own?.close(),
  }
}
