/**
 * What PostgreSQL's background processes would do: the embedded engine has none, so its log would grow
 * and its statistics age. A checkpoint after a minute with writes, a vacuum every hour with writes.
 */
import { type Database, type Owner, sql } from './database.ts'

const checkpointIntervalMs = 60_000
const vacuumEveryCheckpoints = 60

/** Runs until the answer is called, which makes a last checkpoint. */
export function startMaintenance(database: Database, owner: Owner): () => Promise<void> {
  let hasWrites = false
  let checkpoints = 0
  database.onWrite(() => {
    hasWrites = true
  })
  const checkpoint = async () => {
    hasWrites = false
    checkpoints += 1
    await owner.query(sql`checkpoint`)
    if (checkpoints % vacuumEveryCheckpoints === 0) await owner.query(sql`vacuum (analyze)`)
  }
  const timer = setInterval(() => {
    // The next minute tries again.
    if (hasWrites) checkpoint().catch(() => undefined)
  }, checkpointIntervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await owner.query(sql`checkpoint`)
  }
}
