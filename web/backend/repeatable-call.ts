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

/**
 * The name of one operation: a call that comes twice with it takes effect once. A random UUID,
 * made by hand because `crypto.randomUUID` is missing where the page came over plain http.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  }).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
