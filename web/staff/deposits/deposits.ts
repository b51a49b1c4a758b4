/** Calls that order deposits, and read the lines of an earlier batch. */
import type { Json } from '@finanzas/contract/database-types.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { newIdempotencyKey } from '#api/repeatable.ts'
import { unwrap } from '#api/unwrap.ts'
import { readAllLines, type Batch } from '#staff/batches/batches.ts'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import { depositsCopy } from './copy.ts'
import type { ColumnMapping, Found } from './deposits-from-rows.ts'

/**
 * Orders a batch atomically. A repeated call with the same id and lines does not order the batch again. Throws the
 * table API's error.
 */
export async function orderBatch(order: {
  id: string
  title: string
  deposits: readonly Found[]
}): Promise<Batch> {
  const client = await backend()
  const lines = order.deposits.map(({ line, person, amountMinor, description }) => ({
    line,
    user_id: person.id,
    amount: numberFromMinor(amountMinor),
    description,
  }))
  return unwrap(await client.rpc('create_batch', { id: order.id, title: order.title, lines: lines as Json }))
}

/** Converts a batch's lines to a table like an uploaded file, so that staff can order the same deposits again. */
export async function sheetOf({
  id,
  title,
}: Pick<Batch, 'id' | 'title'>): Promise<ChosenFile<ColumnMapping>> {
  const lines = await readAllLines(id)
  const rows = lines.map(({ line, amount, description, profiles }) => ({
    line,
    fields: [profiles?.user_safe?.email ?? '', amount.toFixed(2), description ?? ''],
  }))
  const { customer, amount, description } = depositsCopy.roles
  return {
    key: newIdempotencyKey(),
    name: title,
    table: { format: 'CSV', columns: [customer, amount, description], rows },
    mapping: { customer: 0, amount: 1, description: 2, decimal: '.' },
  }
}
