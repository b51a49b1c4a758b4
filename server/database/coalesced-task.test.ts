import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DatabaseUnavailable, SqlError } from './database.ts'
import { CoalescedTask } from './coalesced-task.ts'

const refusal = (sqlState: string) => new SqlError({ message: sqlState, sqlState })

/** Runs a task once for each outcome, in order, and returns the errors that it reported. */
async function reportedOf(outcomes: readonly (Error | null)[]): Promise<string[]> {
  const reported: string[] = []
  let time = 0
  const task = new CoalescedTask(
    async () => {
      const outcome = outcomes[time] ?? null
      time += 1
      if (outcome !== null) throw outcome
    },
    (error) => reported.push((error as Error).message),
  )
  for (const _outcome of outcomes) {
    task.run()
    await nextTurn()
  }
  await task.close()
  return reported
}

test('a task does not report an unavailable or busy database', async () => {
  const passing = ['40P01', '53100', '57P01', '08006'].map(refusal)

  expect(await reportedOf([new DatabaseUnavailable('away'), ...passing])).toEqual([])
})

test('a task reports a repeated refusal once, and reports it again after a run has succeeded', async () => {
  const [denied, undefinedTable] = [refusal('42501'), refusal('42P01')]

  expect(await reportedOf([denied, denied, undefinedTable, null, undefinedTable])).toEqual([
    '42501',
    '42P01',
    '42P01',
  ])
})

test('a task reports an internal error and runs again', async () => {
  expect(await reportedOf([new TypeError('ours'), null, new TypeError('ours')])).toEqual(['ours', 'ours'])
})
