/** Reads the requested transfers with the names of both people. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
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

/** A row of `requests`, without the columns that the page does not show. */
export type Request = {
  id: string
  status: Status
  asked_by: string
  asked_at: string
  payer: string
  payee: string
  amount: number
  description: string | null
  /** Day on which the transfer is carried out, or `null` for a transfer without a day. */
  due_on: string | null
  expires_at: string
  /** Sum of the values in `riskValues`. */
  risk: number
  decided_by: string | null
  decided_by_name: string | null
  reason: string | null
}

/** A person's id, and the name or e-mail address, which is `null` once the account has been deleted. */
export type Party = { id: string; name: string | null }

export type Transfer = Omit<Request, 'payer' | 'payee' | 'amount'> & {
  payer: Party
  payee: Party
  amountMinor: MinorUnits
}

const columns =
  'id,status,asked_by,asked_at,payer,payee,amount,description,due_on,expires_at,risk,decided_by,decided_by_name,reason'

/** Maximum number of transfers that the page lists and that one call can decide. */
const waitingMax = 100
const decidedStep = 50
/** Interval at which the page reads the queue again, in case live updates are interrupted. */
export const rereadMs = 30_000

/** Prefix of the keys of all queries about requested transfers. */
export const queueKey = ['transfer-queue'] as const

/** Prefix of the keys of the queries about transfers that no longer wait. */
export const decidedKey = [...queueKey, 'decided'] as const

/** Reads the riskiest waiting transfers, and among transfers of equal risk the oldest. */
export const waitingQuery = queryOptions({
  queryKey: [...queueKey, 'waiting'],
  refetchInterval: rereadMs,
  queryFn: async ({ signal }): Promise<{ transfers: Transfer[]; total: number }> => {
    const client = await backend()
    const answer = await client
      .from('requests')
      .select(columns, { count: 'exact' })
      .eq('kind', 'transfer')
      .eq('status', 'waiting')
      .order('risk', { ascending: false })
      .order('asked_at')
      .limit(waitingMax)
      .abortSignal(signal)
      .overrideTypes<Request[], { merge: false }>()
    const transfers = await withNames(unwrap(answer), signal)
    return { transfers, total: answer.count ?? transfers.length }
  },
})

/** Reads the transfers that no longer wait, page by page, with the newest transfer first. */
export function decidedQuery(status: Decided | null) {
  return infiniteQueryOptions({
    queryKey: [...decidedKey, status],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<Transfer[]> => {
      const client = await backend()
      const all = client.from('requests').select(columns).eq('kind', 'transfer')
      const wanted = status === null ? all.neq('status', 'waiting') : all.eq('status', status)
      const page = await (pageParam === '' ? wanted : wanted.lt('asked_at', pageParam))
        .order('asked_at', { ascending: false })
        .limit(decidedStep)
        .abortSignal(signal)
        .overrideTypes<Request[], { merge: false }>()
      return withNames(unwrap(page), signal)
    },
    getNextPageParam: (page) => (page.length < decidedStep ? undefined : page.at(-1)?.asked_at),
  })
}

async function withNames(requests: readonly Request[], signal: AbortSignal): Promise<Transfer[]> {
  const ids = [...new Set(requests.flatMap(({ payer, payee }) => [payer, payee]))]
  const names = ids.length === 0 ? new Map<string, string>() : await readNames(ids, signal)
  const party = (id: string): Party => ({ id, name: names.get(id) ?? null })
  return requests.map(({ payer, payee, amount, ...request }) => ({
    ...request,
    payer: party(payer),
    payee: party(payee),
    amountMinor: readMinor(amount),
  }))
}

async function readNames(ids: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
  const client = await backend()
  const people = client.from('profiles').select('id, full_name, user_safe(email)').in('id', ids)
  const rows = unwrap(
    await people
      .abortSignal(signal)
      .overrideTypes<
        { id: string; full_name: string | null; user_safe: { email: string } | null }[],
        { merge: false }
      >(),
  )
  return new Map(
    rows.map(({ id, full_name, user_safe }) => [id, full_name?.trim() || (user_safe?.email ?? '')]),
  )
}

/** Value of each sign of risk in the column `risk` (`private.risk_of`). Each value is a different bit. */
const riskValues = { payee: 4, amount: 2, hour: 1 } as const
export type RiskSign = keyof typeof riskValues

/** Returns the signs of risk, with the most serious sign first. */
export function signsOf(risk: number): RiskSign[] {
  return (['payee', 'amount', 'hour'] as const).filter((sign) => (risk & riskValues[sign]) !== 0)
}
