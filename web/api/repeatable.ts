/** Sends requests that take effect only once, even if they are sent again. */
import { FunctionRefusal, TableRefusal } from './errors.ts'

/** Identity of a request: its key, and the time of its first attempt (ISO 8601). */
type Attempt = { key: string; at: string }

/**
 * Sends requests that may be repeated. If the outcome of an attempt is unknown, the next attempt with the same content
 * uses the same key and time, so that the request takes effect only once. Every other request gets a new key and time,
 * even if a request with the same content was refused before.
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

/**
 * Returns an idempotency key. If two calls arrive with the same key, only one of these calls takes effect. The key is a
 * random UUID that is built by hand, because `crypto.randomUUID` is not available on pages served over plain HTTP.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  }).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
