import { expect, test } from 'vitest'
import { FunctionRefusal } from './invoke-function.ts'
import { createRepeatableCall, newIdempotencyKey, type Attempt } from './repeatable-call.ts'

const deposit = { amount: 75.25, description: 'En ventanilla' }

test('the same request after a lost answer keeps its key and its time', async () => {
  const { press } = calls()

  const first = await press(deposit, new FunctionRefusal({ hasAnswered: false, sentence: '' }))
  const second = await press({ ...deposit })

  expect(second).toEqual(first)
})

test('the same request after a failure of the server, which may have done it, keeps its key', async () => {
  const { press } = calls()

  const first = await press(deposit, new FunctionRefusal({ hasAnswered: true, status: 500, sentence: '' }))

  expect((await press(deposit)).key).toBe(first.key)
})

test('a request that was refused has a new key and the present time when it is pressed again', async () => {
  const { press } = calls()

  const first = await press(deposit, new FunctionRefusal({ hasAnswered: true, status: 400, sentence: 'No.' }))
  const second = await press(deposit)

  expect(second.key).not.toBe(first.key)
  expect(second.at > first.at).toBe(true)
})

test('another request after a lost answer is another one', async () => {
  const { press } = calls()

  const first = await press(deposit, new FunctionRefusal({ hasAnswered: false, sentence: '' }))
  const second = await press({ ...deposit, amount: 76 })

  expect(second.key).not.toBe(first.key)
  expect(second.at > first.at).toBe(true)
})

test('a refusal of the repetition says nothing of the first: the key stays', async () => {
  const { press } = calls()

  const first = await press(deposit, new FunctionRefusal({ hasAnswered: false, sentence: '' }))
  await press(deposit, new FunctionRefusal({ hasAnswered: true, status: 429, sentence: 'Espera.' }))
  await press(
    { ...deposit, amount: 76 },
    new FunctionRefusal({ hasAnswered: true, status: 400, sentence: 'No.' }),
  )

  expect(await press(deposit)).toEqual(first)
})

test('the same request after a success is another one', async () => {
  const { press } = calls()

  const first = await press(deposit)

  expect((await press(deposit)).key).not.toBe(first.key)
})

test('every key is a random UUID (RFC 9562, version 4) of its own', () => {
  const keys = Array.from({ length: 1000 }, newIdempotencyKey)

  expect(new Set(keys).size).toBe(1000)
  for (const key of keys) {
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

function calls() {
  let minute = 0
  const call = createRepeatableCall(() => new Date(Date.UTC(2026, 10, 22, 12, (minute += 1))))
  const press = async (request: unknown, failure?: Error): Promise<Attempt> => {
    let seen: Attempt | undefined
    const sending = call(request, async (attempt) => {
      seen = attempt
      if (failure !== undefined) throw failure
    })
    await (failure === undefined ? sending : expect(sending).rejects.toBe(failure))
    if (seen === undefined) throw new Error('nothing was sent')
    return seen
  }
  return { press }
}
