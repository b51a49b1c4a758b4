/** Reads the requested transfers of all customers. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { readMinor } from '#money/amounts.ts'

export const statuses = [
  'scheduled',
  'done',
  'declined',
  'cancelled',
  'expired',
  'failed',
  'returned',
] as const
export type Decided = (typeof statuses)[number]
export type Status = 'waiting' | Decided

type Listed = Database['public']['Functions']['list_decided_requests']['Returns'][number]

/** A request in one of the bank's lists. */
export type Request = Omit<Listed, 'kind' | 'status'> & { status: Status }

/** A person's id, and the name or e-mail address, which is `null` once the account has been deleted. */
export type Party = { id: string; name: string | null }

export type Transfer = Omit<Request, 'payer' | 'payer_name' | 'payee' | 'payee_name' | 'amount'> & {
  payer: Party
  payee: Party
  amountMinor: MinorUnits
}

const decidedStep = 50
/** Interval at which the page reads the queue again. Waiting requests are not announced to administrators. */
const rereadMs = 30_000

/** Prefix of the keys of all queries about requested transfers. */
export const queueKey = ['transfer-queue'] as const

/**
 * Reads the riskiest waiting transfers, and among transfers of equal risk the oldest. The database returns at most as
 * many as one call can decide.
 */
export const waitingQuery = queryOptions({
  queryKey: [...queueKey, 'waiting'],
  refetchInterval: rereadMs,
  queryFn: async ({ signal }): Promise<{ transfers: Transfer[]; total: number }> => {
    const client = await backend()
    const answer = await client
      .rpc('list_waiting_requests')
      .abortSignal(signal)
      .overrideTypes<{ total: number; requests: Request[] }, { merge: false }>()
    const { requests, total } = unwrap(answer)
    return { transfers: requests.map(transferOf), total }
  },
})

/** Reads the transfers that no longer wait, page by page, with the newest transfer first. */
export function decidedQuery(status: Decided | null) {
  return infiniteQueryOptions({
    queryKey: [...queueKey, 'decided', status],
    initialPageParam: {},
    queryFn: async ({ pageParam, signal }): Promise<Transfer[]> => {
      const client = await backend()
      const page = await client
        .rpc('list_decided_requests', {
          ...(status !== null && { state: status }),
          ...pageParam,
          rows_max: decidedStep,
        })
        .abortSignal(signal)
        .overrideTypes<Request[], { merge: false }>()
      return unwrap(page).map(transferOf)
    },
    getNextPageParam: (page): { before_asked_at?: string; before_id?: string } | undefined => {
      const last = page.at(-1)
      return page.length < decidedStep || last === undefined
        ? undefined
        : { before_asked_at: last.asked_at, before_id: last.id }
    },
  })
}

function transferOf({ payer, payer_name, payee, payee_name, amount, ...request }: Request): Transfer {
  return {
    ...request,
    payer: { id: payer, name: payer_name },
    payee: { id: payee, name: payee_name },
    amountMinor: readMinor(amount),
  }
}

/** Value of each sign of risk in the column `risk` (`private.risk_of`). Each value is a different bit. */
const riskValues = { payee: 4, amount: 2, hour: 1 } as const
export type RiskSign = keyof typeof riskValues

/** Returns the signs of risk, with the most serious sign first. */
export function signsOf(risk: number): RiskSign[] {
  return (['payee', 'amount', 'hour'] as const).filter((sign) => (risk & riskValues[sign]) !== 0)
}
