let waitSeconds = 0

/** Fetches, and remembers the `Retry-After` of a 429: the client's errors contain no headers. */
export async function fetchNotingWait(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init)
  if (answer.status === 429) waitSeconds = Number.parseInt(answer.headers.get('Retry-After') ?? '0', 10)
  return answer
}

/** Returns the `Retry-After` of the last 429 in seconds, or zero without that header. */
export function lastWaitSeconds(): number {
  return Number.isNaN(waitSeconds) ? 0 : waitSeconds
}
