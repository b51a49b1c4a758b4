import { isOutcomeUnknown } from '#api/errors.ts'
import { refusalMessage } from '#api/refusals.ts'
import { staffRefusals } from '#staff/forms/refusals.ts'
import type { ToastMessage } from '#ui/toast/toast-store.ts'
import { requestQueueCopy as copy } from './copy.ts'
import { areTransfers } from './people.tsx'
import type { Outcome } from './decisions.ts'

/**
 * Describes the answer to a decision: the number of requests that the caller decided, and the reasons why the caller
 * did not decide the other requests.
 */
export function outcomeInWords(
  requests: readonly Outcome[],
  { approves, userId }: { approves: boolean; userId: string },
): ToastMessage {
  const words = approves ? copy.approval : copy.decline
  const isDone = ({ status, decided_by: by }: Outcome) =>
    by === userId && (approves ? status === 'done' || status === 'scheduled' : status === 'declined')
  const done = requests.filter(isDone).length
  const counts = new Map<string, { count: number; tell: (count: number) => string }>()
  for (const request of requests.filter((other) => !isDone(other))) {
    const [key, tell] = reasonOf(request)
    counts.set(key, { count: (counts.get(key)?.count ?? 0) + 1, tell })
  }
  const description = [...counts.values()].map(({ count, tell }) => tell(count)).join(' ')
  return {
    title: done === 0 ? words.noneTitle : words.doneTitle(done, areTransfers(requests)),
    ...(description !== '' && { description }),
    ...(done === 0 && { variant: 'destructive' }),
  }
}

/**
 * Describes a decision that failed. After a lost answer, the page does not claim that nothing was done: `failedTitle`
 * is shown only if the server refused.
 */
export function failureInWords(error: unknown, failedTitle: string): ToastMessage & { description: string } {
  if (isOutcomeUnknown(error)) return { title: copy.unknown.title, description: copy.unknown.text }
  return refusalMessage(error, { name: 'decision', title: failedTitle, refusals: staffRefusals })
}

/**
 * Returns a key that is the same for all requests with the same reason, and a function that returns the sentence for a
 * number of these requests.
 */
function reasonOf({
  status,
  decided_by,
  decided_by_name,
  reason,
}: Outcome): [string, (count: number) => string] {
  const name = decided_by_name ?? copy.anotherAdministrator
  const { approved, declined, cancelled, expired, failed, second, sent } = copy.elsewhere
  switch (status) {
    case 'declined':
      return [`declined ${name}`, (count) => declined(count, name)]
    case 'cancelled':
      return ['cancelled', cancelled]
    case 'expired':
      return ['expired', expired]
    case 'failed':
      return [`failed ${reason}`, (count) => failed(count, reason ?? '')]
    case 'done':
      // The bank carried out this scheduled transfer before the administrator could decline it.
      if (decided_by === null) return ['sent', sent]
      break
    case 'waiting':
      return ['second', second]
    case 'scheduled':
    case 'returned':
      break
  }
  return [`approved ${name}`, (count) => approved(count, name)]
}
