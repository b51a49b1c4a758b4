/** Seen red with a database that everybody asks as often as they like, and with a turn that is not handed on after an error. */
import { expect, test } from 'vitest'
import { type Database, DatabaseBusy, sql } from './database.ts'
import { type Scope, asProbe, asUser } from './scope.ts'
import { inShares, waitingMax } from './shares.ts'

const atOnce = 4
const sessionOf = (person: string) => asUser({ id: `session of ${person}`, userId: person }, 'read')

/** A database that answers when it is told to, and says who is being served. */
function slowDatabase() {
  const served: { person: string | undefined; finish: (error?: Error) => void }[] = []
  const slow: Database = {
    engine: 'postgres',
    transaction: (scope) =>
      new Promise((resolve, reject) => {
        const finish = (error?: Error) => (error === undefined ? resolve([] as never) : reject(error))
        served.push({ person: scope.session?.userId, finish })
      }),
    load: () => ({ running: 0, waiting: 0, refused: 0 }),
    onWrite: () => undefined,
    close: async () => undefined,
  }
  const database = inShares(slow)
  const ask = (scope: Scope) => database.transaction(scope, [sql`select 1`])
  return { served, ask }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('four of a person are at work at a time, and everybody else is served beside them', async () => {
  const { served, ask } = slowDatabase()
  for (let count = 0; count < 10; count += 1) void ask(sessionOf('Ana'))
  void ask(sessionOf('Luis'))
  void ask(asProbe())
  await settled()

  const countOf = (someone: string | undefined) => served.filter(({ person }) => person === someone).length
  expect([countOf('Ana'), countOf('Luis'), countOf(undefined)]).toEqual([atOnce, 1, 1])
})

test('each one that ends, however it ends, lets in the next in their order', async () => {
  const { served, ask } = slowDatabase()
  const order: number[] = []
  const asked = Array.from({ length: 7 }, async (_, number) => {
    await ask(sessionOf('Ana')).catch(() => undefined)
    order.push(number)
  })
  await settled()
  for (let next = 0; next < asked.length; next += 1) {
    served[next]?.finish(next < atOnce ? new Error('refused') : undefined)
    await settled()
  }
  await Promise.all(asked)

  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test('a person with a hundred waiting is refused one more, nobody else is', async () => {
  const { served, ask } = slowDatabase()
  for (let count = 0; count < atOnce + waitingMax; count += 1) void ask(sessionOf('Ana'))

  await expect(ask(sessionOf('Ana'))).rejects.toBeInstanceOf(DatabaseBusy)
  void ask(sessionOf('Luis'))
  await settled()
  expect(served.at(-1)?.person).toBe('Luis')
})
