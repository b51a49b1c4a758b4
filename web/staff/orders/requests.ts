/** Reads the requests of all customers and administrators. */
import { queryOptions } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { readAccount, type Account } from '@finanzas/contract/transfers/account.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { rowPages } from '#staff/lists/row-pages.ts'
import { newsKey, type NewsCounts } from '#data/queries.ts'
import { readMinor, sumOf } from '#amounts/amounts.ts'

type Row = Database['public']['Tables']['requests']['Row']
export type Status = Row['status']
export type ActKind = Exclude<Row['kind'], 'transfer'>

export const statuses = [
  'scheduled',
  'done',
  'declined',
  'cancelled',
  'expired',
  'failed',
  'returned',
] as const satisfies readonly Status[]
export type Decided = (typeof statuses)[number]

type Listed = Database['public']['Functions']['list_decided_requests']['Returns'][number]

/** A request in one of the bank's lists. */
export type Request = Omit<Listed, 'kind' | 'status' | 'details' | 'obstacle'> & {
  kind: Row['kind']
  /** Why the administrator cannot decide the request, or `null` if the administrator can decide it. */
  obstacle: Obstacle | null
  status: Status
  details: Details | Account | null
}

/**
 * The administrator asked for the act or is affected by it, holds the keys of a person, or approved the transfer first.
 */
export type Obstacle = 'own' | 'keys' | 'first'

/**
 * The other arguments of an administrator's act. Each kind of act uses only some of these arguments. All arguments are
 * removed when the account of the person concerned is deleted.
 */
type Details = {
  type?: 'deposit' | 'expense'
  description?: string
  /** Free text, or one of the known reasons of a block. */
  reason?: string
  /** Hours of a block, if it is not permanent. */
  hours?: number
  right_amount?: number
  title?: string
  lines?: number
  /** Number of the clearing file that is returned, and of its transfers. */
  file?: number
  transfers?: number
  /** Number of accounts that the batch opens. */
  accounts?: number
}

/** A person's id, and the person's name or e-mail address. The name is `null` once the account has been deleted. */
export type Party = { id: string | null; name: string | null }

/** The facts on which the decision of a waiting request rests. */
export type Facts = {
  /** Balance of the person that an act affects; `null` for a transfer and for a batch. */
  balanceMinor: MinorUnits | null
  /** The same balance according to the bank, without the person's own notes. */
  heldMinor: MinorUnits | null
  /** The amount that the payer can still transfer when all open transfers are done. */
  availableMinor: MinorUnits | null
  /** Whether the payer has ever made a transfer. */
  hasSent: boolean
  /** The payer's largest transfer of the last 90 days, or `null` if the payer made none in these days. */
  usualMinor: MinorUnits | null
  /** Number of the payer's transfers of the last 90 days. */
  sentRecently: number
  transfersToday: number
  /** Time at which the payer confirmed the beneficiary, or `null` if the payer has removed the beneficiary. */
  payeeSince: string | null
  /** The recent acts on the access of the payer, or of the person that an act affects. The newest comes first. */
  accessActs: readonly { act: AccessAct; acted_at: string }[]
}

/** An act of an administrator or of the operator on a person's access (`private.recent_access_acts`). */
export type AccessAct =
  | 'block_user'
  | 'unblock_user'
  | 'reset_factor'
  | 'reset_access'
  | 'begin_email_change'
  | 'send_link'
  | 'correct_holder'

type Common = { facts: Facts | null } & Pick<
  Request,
  | 'id'
  | 'status'
  | 'asked_by'
  | 'asked_at'
  | 'expires_at'
  | 'decided_by'
  | 'decided_by_name'
  | 'reason'
  | 'obstacle'
  | 'is_stuck'
  | 'first_approved_by_name'
>

/** A transfer that a customer requested. */
export type Transfer = Common &
  Pick<Request, 'description' | 'due_on' | 'risk'> & {
    kind: 'transfer'
    payer: Party
    /** The holder of an account at another bank has no id. */
    payee: Party
    /** The payee's account at another bank, or `null` if the payee is a customer of this bank. */
    destination: Account | null
    /**
     * Number of the clearing file that contains the transfer. The number is `null` if no file contains the transfer.
     */
    clearing_file: number | null
    amountMinor: MinorUnits
  }

/** An act of an administrator that a second administrator must approve. */
export type Act = Common & {
  kind: ActKind
  asker: Party
  /** The person affected by the act, or `null` for a batch and for the return of a whole clearing file. */
  about: Party | null
  /** `null` for a change of role, for a block, and for the deletion of an administrator without money. */
  amountMinor: MinorUnits | null
  details: Details
}

/** A request in the queue. */
export type Queued = Transfer | Act

/**
 * Interval at which the page reads the queue again, because administrators do not receive live events about waiting
 * requests.
 */
const rereadMs = 30_000

/** Prefix of the keys of all queries about requests. */
export const queueKey = ['request-queue'] as const

/** The waiting requests that were read, and the number, the sum and the first expiry of all. */
export type Queue = { requests: Queued[]; total: number; sumMinor: MinorUnits; firstExpiresAt: string | null }
type QueueAnswer = { total: number; amount: number; first_expires_at: string | null; requests: Request[] }

/**
 * Reads the waiting requests, ordered by risk and then by age. The database returns no more requests than one call can
 * decide.
 */
export const waitingQuery = queryOptions({
  queryKey: [...queueKey, 'waiting'],
  refetchInterval: rereadMs,
  queryFn: async ({ client: cache, signal }): Promise<Queue> => {
    const client = await backend()
    const answer = await client
      .rpc('list_waiting_requests')
      .abortSignal(signal)
      .overrideTypes<QueueAnswer, { merge: false }>()
    const { requests, total, amount, first_expires_at: firstExpiresAt } = unwrap(answer)
    // Before the counts are read, the number of unread notifications is unknown.
    cache.setQueryData<NewsCounts>(newsKey, (news) => news && { ...news, waiting: total })
    return { requests: requests.map(queuedOf), total, sumMinor: readMinor(amount), firstExpiresAt }
  },
})

/** Reads the requests that no longer wait, page by page, with the newest request first. */
export function decidedQuery(status: Decided | null) {
  return rowPages<Queued>([...queueKey, 'decided', status], async (last, { rowsMax, signal }) => {
    const client = await backend()
    const page = client.rpc('list_decided_requests', {
      ...(status !== null && { state: status }),
      ...(last !== undefined && { before_asked_at: last.asked_at, before_id: last.id }),
      rows_max: rowsMax,
    })
    const answer = await (signal === undefined ? page : page.abortSignal(signal)).overrideTypes<
      Request[],
      { merge: false }
    >()
    return unwrap(answer).map(queuedOf)
  })
}

function queuedOf(request: Request): Queued {
  const { kind, payer, payee, about, amount } = request
  const facts = factsOf(request)
  // Every transfer has two people and an amount.
  if (kind === 'transfer')
    return {
      ...request,
      kind,
      facts,
      payer: { id: payer, name: withDocument(request.payer_name, request.payer_document) },
      payee: { id: payee, name: withDocument(request.payee_name, request.payee_document) },
      destination: readAccount(request.details),
      amountMinor: readMinor(amount ?? Number.NaN),
    }
  return {
    ...request,
    kind,
    facts,
    asker: { id: request.asked_by, name: request.asked_by_name },
    about: about === null ? null : { id: about, name: request.about_name },
    amountMinor: amount === null ? null : readMinor(amount),
    details: (request.details as Details | null) ?? {},
  }
}

function factsOf({ facts }: Request): Facts | null {
  if (facts === null) return null
  const minor = (amount: number | null) => (amount === null ? null : readMinor(amount))
  return {
    balanceMinor: minor(facts.balance),
    heldMinor: minor(facts.held),
    availableMinor: minor(facts.available_after),
    hasSent: facts.has_sent ?? false,
    usualMinor: minor(facts.usual_max),
    sentRecently: facts.sent_recently ?? 0,
    transfersToday: facts.transfers_today ?? 0,
    payeeSince: facts.payee_since,
    accessActs: facts.access_acts as Facts['accessActs'],
  }
}

/** A name with a document is the one that the bank verified. */
function withDocument(name: string | null, document: string | null): string | null {
  return name !== null && document !== null ? `${name} · ${document}` : name
}

/** URL parameter with the id of the waiting request to which a link leads. */
export const linkedParameter = 'solicitud'

/** Returns the sum of the requests' amounts. Some acts have no amount. */
export function sumOfRequests(requests: readonly Queued[]): MinorUnits {
  return sumOf(requests.flatMap(({ amountMinor }) => (amountMinor === null ? [] : [{ amountMinor }])))
}

/** Value that each sign of risk adds to the column `risk` (`private.risk_of`). Each value is a different bit. */
const riskValues = { payee: 4, amount: 2, hour: 1 } as const
export type RiskSign = keyof typeof riskValues

/** Returns the signs of risk, with the most serious sign first. */
export function signsOf(risk: number): RiskSign[] {
  return (['payee', 'amount', 'hour'] as const).filter((sign) => (risk & riskValues[sign]) !== 0)
}
