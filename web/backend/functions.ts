import { backend } from './client.ts'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { TableRefusal } from './errors.ts'

type Outcome = { hasAnswered: boolean; status?: number; sentence: string; code?: string }

/** A refusal by a function. The message is the function's own sentence, or empty. */
export class FunctionRefusal extends Error {
  override readonly name = 'FunctionRefusal'
  readonly hasAnswered: boolean
  /** Code to which the page reacts. Empty if the page only shows the sentence. */
  readonly code: string
  /** Whether the call may have taken effect despite the error: no answer arrived, or the server failed. */
  readonly isOutcomeUnknown: boolean

  constructor({ hasAnswered, status = 0, sentence, code = '' }: Outcome, options?: ErrorOptions) {
    super(sentence, options)
    this.hasAnswered = hasAnswered
    this.code = code
    this.isOutcomeUnknown = !hasAnswered || status >= 500
  }
}

/**
 * Calls a function and returns the body of its answer. Throws a `FunctionRefusal`: the function's sentence is in the
 * response that the library attaches to its error. With a key, the same body may be sent again after a lost answer and
 * takes effect once.
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

/** Identity of a request: its key, and the time of its first attempt (ISO 8601). */
type Attempt = { key: string; at: string }

/**
 * Sends requests that may be repeated. If the outcome of a request is unknown, the same request keeps its key and time
 * until it succeeds, so that it takes effect once. A request with other content, or the
 * same request after a refusal, gets a new key and time.
 */
export function createRepeatable(now = () => new Date()) {
  const unknown = new Map<string, Attempt>()
  return async <Answer>(request: object, send: (attempt: Attempt) => Promise<Answer>): Promise<Answer> => {
    const content = JSON.stringify(request)
    const attempt = unknown.get(content) ?? { key: newIdempotencyKey(), at: now().toISOString() }
    try {
      const answer = await send(attempt)
      unknown.delete(content)
      return answer
    } catch (error) {
      const isRefusal = error instanceof FunctionRefusal || error instanceof TableRefusal
      if (isRefusal && error.isOutcomeUnknown) unknown.set(content, attempt)
      throw error
    }
  }
}

/** Calls functions so that a call may be repeated. */
export function createRepeatableCall(send = invokeFunction, now = () => new Date()) {
  const repeat = createRepeatable(now)
  /** `withTime` puts the time into the body that is sent. `Answer` is the type of the answer's body. */
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

/**
 * Returns a key for one operation: a call that arrives twice with the same key takes effect once. The key is a random
 * UUID, built by hand because `crypto.randomUUID` is missing on pages served over plain HTTP.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  }).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
