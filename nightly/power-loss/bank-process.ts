/**
 * Writes to a bank whose file operations are recorded, and prints the length of the recording after each acknowledged
 * write. Without WRITES, the program opens a disk image as a server does when it starts, and prints the bank's content.
 * node [--import ./nightly/power-loss/recording-hook.ts] nightly/power-loss/bank-process.ts DIRECTORY [WRITES]
 */
import { statSync } from 'node:fs'
import { sql } from '#server/database/database.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { settings } from '#tests/database/bank-settings.ts'
import { addPerson, run } from '#tests/database/people.ts'

const writersCount = 8

const [, , directory = '', writes] = process.argv
const { database, owner } = await openPglite(directory)
if (writes === undefined) await report()
else await write(Number(writes))
// The process exits without closing anything, as in a power cut.
process.exit(0)

async function report(): Promise<void> {
  const rows = await owner.query(sql<{ id: string }>`select id from public.transactions`)
  const { broken } = await verifyLedger(database)
  process.stdout.write(JSON.stringify({ ids: rows.map(({ id }) => id), broken }))
}

async function write(count: number): Promise<void> {
  await owner.query(settings({ auth_rate_limits: 'off' }))
  let left = count
  const writer = async () => {
    const customer = await addPerson(database, 'user')
    for (; left > 0;) {
      left -= 1
      const isCheckpoint = left % 97 === 0
      const id = crypto.randomUUID()
      await run(
        customer,
        sql`insert into public.transactions (user_id, id, type, description, amount)
            values (${customer.id}, ${id}, 'expense', 'Café', 1.25)`,
      )
      process.stdout.write(`${statSync(process.env['RECORDING'] ?? '').size} ${id}\n`)
      if (isCheckpoint) await owner.query(sql`checkpoint`)
    }
  }
  await Promise.all(Array.from({ length: writersCount }, writer))
}
