/** Makes the calls of administrators who read and decide requests. */
import { sql } from '#server/database/database.ts'
import { type Person, call, callRows } from './people.ts'
import type { Transfer } from './transfers.ts'

export const decide = (
  administrator: Person,
  ids: readonly string[],
  approves: boolean,
  reason: string | null = approves ? null : 'Pídela en la sucursal',
) =>
  callRows<Transfer>(
    administrator,
    sql`public.decide_requests(${`{${ids.join()}}`}::uuid[], ${approves}, ${reason})`,
  )

export type Listed = Transfer & {
  kind: string
  asked_at: string
  expires_at: string
  payer_name: string | null
  facts: {
    balance: number | null
    held: number | null
    available_after: number | null
    has_sent: boolean | null
    usual_max: number | null
    sent_recently: number | null
    transfers_today: number | null
    payee_since: string | null
    access_acts: readonly { act: string; acted_at: string }[] | null
  } | null
}

/** Returns the queue of waiting requests that an administrator reads. */
export const waitingRequests = (person: Person, rowsMax = 100) =>
  call<{ total: number; amount: number; first_expires_at: string | null; requests: Listed[] }>(
    person,
    sql`public.list_waiting_requests(${rowsMax}::integer)`,
  )

/** Returns the page of decided requests that follows the given request. */
export const decidedRequests = (
  person: Person,
  {
    state = '',
    after = null,
    rowsMax = 50,
  }: { state?: string; after?: Listed | null; rowsMax?: number } = {},
) =>
  callRows<Listed>(
    person,
    sql`public.list_decided_requests(
      ${state}, coalesce(${after?.asked_at ?? null}::timestamptz, 'infinity'), ${after?.id ?? null}::uuid,
      ${rowsMax}::integer
    )`,
  )
