let waitSeconds = 0

/** Asks, and notes how long a refusal wants one to wait: the client's errors carry no headers. */
export async function fetchNotingWait(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init)
  if (answer.status === 429) waitSeconds = Number.parseInt(answer.headers.get('Retry-After') ?? '0', 10)
  return answer
}

/** The `Retry-After` of the last 429; zero where it named none. */
export function lastWaitSeconds(): number {
  return Number.isNaN(waitSeconds) ? 0 : waitSeconds
}
