import { backend } from './client.ts'

type Outcome = { hasAnswered: boolean; status?: number; sentence: string }

/** A function's refusal; the message is its own sentence, or empty. */
export class FunctionRefusal extends Error {
  override readonly name = 'FunctionRefusal'
  readonly hasAnswered: boolean
  /** Whether it may have taken effect all the same: no answer came, or the server failed. */
  readonly isOutcomeUnknown: boolean

  constructor({ hasAnswered, status = 0, sentence }: Outcome, options?: ErrorOptions) {
    super(sentence, options)
    this.hasAnswered = hasAnswered
    this.isOutcomeUnknown = !hasAnswered || status >= 500
  }
}

/**
 * Calls a function; throws a `FunctionRefusal`. The library keeps the function's sentence in the response that it
 * attaches to its error. With a key the same body may be sent again after a lost answer, and takes effect once.
 */
export async function invokeFunction(
  name: string,
  body: Record<string, unknown>,
  idempotencyKey?: string,
): Promise<void> {
  const client = await backend()
  const { error } = await client.functions.invoke(name, {
    body,
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
  })
  if (error === null) return
  const { context } = error as { context?: unknown }
  throw new FunctionRefusal(await outcomeOf(context), { cause: error })
}

async function outcomeOf(context: unknown): Promise<Outcome> {
  if (!(context instanceof Response)) return { hasAnswered: false, sentence: '' }
  const body: unknown = await context.json().catch(() => null)
  const hasSentence = typeof body === 'object' && body !== null && 'error' in body
  const sentence = hasSentence && typeof body.error === 'string' ? body.error : ''
  return { hasAnswered: true, status: context.status, sentence }
}
