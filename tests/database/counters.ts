/** Changes the counters of a limit (`private.consume`), because tests do not wait. */
import { sql } from '#server/database/database.ts'
import type { Bank } from './bank.ts'

/** Number of parts of a window of 24 hours. A use counts for at most one part longer. */
export const partsOfDay = 24

/** Moves the uses of a limit into the past, by whole parts of its window. */
export const letPass = (bank: Pick<Bank, 'owner'>, limit: string, subject: string, parts: number) =>
  bank.owner.query(sql`
    update private.counters set slot = slot - ${parts} where limit_name = ${limit} and subject = ${subject}`)

/** Returns the number of a limit. */
export async function limitOf(bank: Pick<Bank, 'owner'>, limit: string): Promise<number> {
  const [row] = await bank.owner.query(sql<{ most: number }>`select private.limit_of(${limit}) as most`)
  return row?.most ?? 0
}

/** Counts uses of a limit without any other effect. */
export const use = (bank: Pick<Bank, 'owner'>, limit: string, subject: string, uses: number) =>
  bank.owner.query(sql`select private.consume(${limit}, ${subject}, ${uses})`)
