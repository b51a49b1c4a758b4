/**
 * Nobody has more of the database than their share (security.md DO-03): a customer with a long history can ask questions
 * that take seconds, and a few of those at once would be all that the others get.
 */
import { type Database, DatabaseBusy, type SqlStatement } from './database.ts'
import type { Scope } from './scope.ts'

/** Database transactions of one person at a time: half of the connections that there usually are. */
const atOnceMax = 4
/** As many of the same person may wait for their turn. One more is refused. */
export const waitingMax = 100

type Share = { running: number; readonly waiting: (() => void)[] }

/** The same database, in which whoever asks in a session of theirs takes turns with themselves. */
export function inShares(database: Database): Database {
  const shares = new Map<string, Share>()

  async function enter(person: string): Promise<Share> {
    const share = shares.get(person) ?? { running: 0, waiting: [] }
    shares.set(person, share)
    if (share.running < atOnceMax) {
      share.running += 1
      return share
    }
    if (share.waiting.length >= waitingMax)
      throw new DatabaseBusy('Too many requests of the same person are waiting.')
    // Who leaves hands over their turn: the number of those at work stays as it is.
    await new Promise<void>((resolve) => share.waiting.push(resolve))
    return share
  }

  function leave(person: string, share: Share): void {
    const next = share.waiting.shift()
    if (next !== undefined) {
      next()
      return
    }
    share.running -= 1
    if (share.running === 0) shares.delete(person)
  }

  return {
    ...database,
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const person = scope.session?.userId
      if (person === undefined) return database.transaction(scope, statements)
      const share = await enter(person)
      try {
        return await database.transaction<S>(scope, statements)
      } finally {
        leave(person, share)
      }
    },
  }
}
