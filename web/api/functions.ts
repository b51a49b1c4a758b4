import { backend } from './client.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { FunctionRefusal, type Outcome } from './errors.ts'
import { createRepeatable } from './repeatable.ts'

/**
 * Calls a function and returns the body of its answer. Throws a `FunctionRefusal` with the function's message, which is
 * read from the response that supabase-js attaches to its error. If `idempotencyKey` is given, repeated calls with the
 * same body take effect only once.
 */
export async function invokeFunction(name: string, body: object, idempotencyKey?: string): Promise<unknown> {
  const client = await backend()
  const { data, error } = await client.functions.invoke<unknown>(name, {
    body: { ...body },
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
  })
  if (error === null) return data
  const { context } = error as { context?: unknown }
  throw new FunctionRefusal(await outcomeOf(context), { cause: error })
}

async function outcomeOf(context: unknown): Promise<Outcome> {
  if (!(context instanceof Response)) return { hasAnswered: false, sentence: '' }
  const body: unknown = await context.json().catch(() => null)
  const hasSentence = typeof body === 'object' && body !== null && 'error' in body
  const sentence = hasSentence && typeof body.error === 'string' ? body.error : ''
  return { hasAnswered: true, status: context.status, sentence, code: errorCode(body) }
}

/**
 * Returns a function that calls the server's functions with an idempotency key, so that repeated calls take effect only
 * once.
 */
export function createRepeatableCall(send = invokeFunction, now = () => new Date()) {
  const repeat = createRepeatable(now)
  /** `withTime` adds the time of the first attempt to the body. `Answer` is the type of the answer's body. */
  return <Body extends object, Answer = void>(
    name: string,
    body: Body,
    withTime?: (body: Body, at: string) => object,
  ): Promise<Answer> =>
    repeat(
      body,
      ({ key, at }) => send(name, withTime === undefined ? body : withTime(body, at), key) as Promise<Answer>,
    )
}
