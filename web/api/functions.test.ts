import { expect, test } from 'vitest'
import { TableRefusal } from './errors.ts'
import { createRepeatableCall } from './functions.ts'
import { newIdempotencyKey } from './repeatable.ts'
import { FunctionRefusal } from './errors.ts'

const deposit = { amount: 75.25, description: 'En ventanilla' }
const lost = new FunctionRefusal({ hasAnswered: false, sentence: '' })
const failed = new FunctionRefusal({ hasAnswered: true, status: 500, sentence: '' })
const refused = new FunctionRefusal({ hasAnswered: true, status: 400, sentence: 'No.' })
const failedTable = new TableRefusal({ status: 500, error: { code: '57014', message: '' } })
const refusedTable = new TableRefusal({ status: 409, error: { code: 'PT409', message: 'No.' } })
const tooSoon = new FunctionRefusal({ hasAnswered: true, status: 429, sentence: 'Espera.' })

test.each([
  ['the same request after a lost answer keeps its key and time', lost, deposit],
  ['the same request after a server failure keeps its key and time', failed, deposit],
  ['the same request after a failure of the table API keeps its key and time', failedTable, deposit],
])('%s', async (_, failure, request) => {
  const press = pressing()

  const first = await press(deposit, failure)

  expect(await press({ ...request })).toEqual(first)
})

test.each([
  ['a request that was refused', refused, deposit],
  ['a request that the table API refused', refusedTable, deposit],
  ['another request after a lost answer', lost, { ...deposit, amount: 76 }],
  ['the same request after a success', undefined, deposit],
])('%s gets a new key and the present time', async (_, failure, request) => {
  const press = pressing()

  const first = await press(deposit, failure)
  const second = await press(request)

  expect(second.key).not.toBe(first.key)
  expect(second.at > first.at).toBe(true)
})

test('a repeated call keeps its key after a refusal', async () => {
  const press = pressing()

  const first = await press(deposit, lost)
  await press(deposit, tooSoon)
  await press({ ...deposit, amount: 76 }, refused)

  expect(await press(deposit)).toEqual(first)
})

test('every key is a new random UUID (RFC 9562, version 4)', () => {
  const keys = Array.from({ length: 1000 }, newIdempotencyKey)

  expect(new Set(keys).size).toBe(1000)
  for (const key of keys) {
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

/** Returns a function that sends requests through one repeatable call and returns the key and time of each request. */
function pressing() {
  let minute = 0
  let failure: Error | undefined
  const sent: { key: string | undefined; at: string }[] = []
  const call = createRepeatableCall(
    async (_name, body, key) => {
      sent.push({ key, ...(body as { at: string }) })
      if (failure !== undefined) throw failure
    },
    () => new Date(Date.UTC(2026, 10, 22, 12, (minute += 1))),
  )
  return async (request: object, refusal?: Error) => {
    failure = refusal
    const sending = call('manage-transactions', request, (_, at) => ({ at }))
    await (refusal === undefined ? sending : expect(sending).rejects.toBe(refusal))
    return sent.at(-1) ?? { key: '', at: '' }
  }
}
