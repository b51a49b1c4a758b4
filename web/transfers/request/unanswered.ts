/** Remembers a transfer whose answer is missing, so that a later attempt has the same id and does not send it twice. */
import { queryOptions, skipToken, type QueryClient } from '@tanstack/react-query'
import { refusedWritesMaxCode } from '#api/error-codes.ts'
import { isOutcomeUnknown, Refusal } from '#api/errors.ts'
import type { Draft } from './draft.ts'
import { SentBeforeError } from '#transfers/transfer-calls.ts'

/** A transfer that was sent and that the bank may have carried out. */
export type Unanswered = { id: string; draft: Draft }

/**
 * The unanswered transfer, or `null`. It is kept with the query results until the sign-out, because the customer may
 * close the dialog or leave the page before the next attempt.
 */
export function unansweredQuery(userId: string) {
  return queryOptions<Unanswered | null>({
    queryKey: ['unanswered transfer', userId],
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/**
 * Sends a transfer that counts as unanswered until the bank answers. The bank compares the id before it checks anything
 * else. A refusal that contains a message therefore means that no earlier attempt arrived. The exception is
 * `refusedWritesMaxCode`, because that refusal comes before the comparison.
 */
export async function untilAnswered<Answer>(
  client: QueryClient,
  userId: string,
  { sent, send }: { sent: Unanswered; send: () => Promise<Answer> },
): Promise<Answer> {
  const { queryKey } = unansweredQuery(userId)
  const before = client.getQueryData(queryKey) ?? null
  const forget = () => client.setQueryData(queryKey, (kept) => (kept?.id === sent.id ? null : kept))
  client.setQueryData(queryKey, sent)
  try {
    const answer = await send()
    forget()
    return answer
  } catch (error) {
    const isCompared =
      error instanceof Refusal && error.sentence !== '' && error.code !== refusedWritesMaxCode
    if (
      error instanceof SentBeforeError ||
      isCompared ||
      (before?.id !== sent.id && !isOutcomeUnknown(error))
    )
      forget()
    throw error
  }
}
