/**
 * Writes to a bank whose files are recorded, and says of each acknowledged write how long the log was then.
 * node --import ./nightly/power-loss/recording-hook.ts nightly/power-loss/writer.ts DIRECTORY WRITES, with RECORDING set.
 */
import { statSync } from 'node:fs'
import { sql } from '#server/database/database.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { withoutQuota } from '#server/database/scope.ts'
import { addPerson, run } from '#tests/database/people.ts'

const writersCount = 8

const [, , directory = '', writes = '100'] = process.argv
const { database, owner } = await openPglite(directory)
let left = Number(writes)
const write = async () => {
  const customer = await addPerson(withoutQuota(database), 'user')
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
await Promise.all(Array.from({ length: writersCount }, write))
// As a power cut leaves it: nothing is closed.
process.exit(0)
