/** Creates batches of deposits, and posts their lines like a server. */
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import type { Bank } from './bank.ts'
import { type Person, call, run } from './people.ts'

export type Batch = {
  id: string
  lines: number
  posted: number
  failed: number
  posted_amount: number
  reversed: number
  kept: number
  is_held: boolean
  stopped_at: string | null
  finished_at: string | null
}

/** Creates a batch as an administrator. A call with the id of an existing batch returns this batch. */
export const createBatch = (
  by: Person,
  lines: unknown,
  { id = crypto.randomUUID(), title = 'nomina.csv' }: { id?: string; title?: string } = {},
) => call<Batch>(by, sql`public.create_batch(${id}, ${title}, ${JSON.stringify(lines)}::json)`)

export async function readBatch(bank: Bank, id: string): Promise<Batch> {
  const [row] = await run(
    bank.administrator,
    sql<{ batch: Batch }>`select to_jsonb(b) as batch from public.batches b where b.id = ${id}`,
  )
  if (row === undefined) throw new Error('The batch does not exist.')
  return row.batch
}

/** Returns a statement that posts at most `lines` lines of the waiting batches, and returns whether it posted any. */
export const postPiece = (lines: number) => sql<{ isPosted: boolean }>`
  select private.post_batch_piece(${lines}) as "isPosted"`

/** Posts all waiting lines. */
export async function postAll({ database }: Bank): Promise<void> {
  for (let isPosted = true; isPosted;) {
    const [[piece]] = await database.transaction(asCaller({ role: 'service_role' }, 'write'), [
      postPiece(1000),
    ])
    isPosted = piece?.isPosted === true
  }
}
