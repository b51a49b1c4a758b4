import { newIdempotencyKey } from './idempotency-key.ts'
import { FunctionRefusal } from './invoke-function.ts'

/** What a request is known by: its key, and the time at which it was first sent (ISO 8601). */
export type Attempt = { key: string; at: string }

export type RepeatableCall = (request: unknown, send: (attempt: Attempt) => Promise<void>) => Promise<void>

/**
 * A call that may be sent again: once the outcome of a request is unknown, the same request keeps its key and time until
 * it succeeds, so that it takes effect once. Anything else is a new request: other content, or the same after a refusal.
 */
export function createRepeatableCall(now: () => Date = () => new Date()): RepeatableCall {
  const unknown = new Map<string, Attempt>()
  return async (request, send) => {
    const content = JSON.stringify(request)
    const attempt = unknown.get(content) ?? { key: newIdempotencyKey(), at: now().toISOString() }
    try {
      await send(attempt)
      unknown.delete(content)
    } catch (error) {
      if (error instanceof FunctionRefusal && error.isOutcomeUnknown) unknown.set(content, attempt)
      throw error
    }
  }
}
