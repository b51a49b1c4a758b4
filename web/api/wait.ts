let waitSeconds = 0

/**
 * Wraps `fetch` to remember the `Retry-After` header of a 429 answer, because the client's errors contain no headers.
 */
export async function fetchNotingWait(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init)
  if (answer.status === 429) waitSeconds = Number.parseInt(answer.headers.get('Retry-After') ?? '0', 10)
  return answer
}

/** Returns the seconds in the `Retry-After` header of the last 429 answer, or zero if the answer had no such header. */
export function lastWaitSeconds(): number {
  return Number.isNaN(waitSeconds) ? 0 : waitSeconds
}
