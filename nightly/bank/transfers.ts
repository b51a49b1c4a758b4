/**
 * Transfers in the bank test. A writer requests a transfer, and the bank carries it out at once or lets it wait,
 * depending on its amount. Administrators then decide the transfer, its payer cancels it, or two people act at the same
 * moment.
 */
import type { Operation, TransferAct } from './history.ts'
import { type Traffic, type TransferPair, outcomeOf, persist } from './traffic.ts'
import { transferAmountOf } from './transfer-check.ts'
import { withoutTransferLimits } from '#server/settings/settings.ts'
import { environmentOf } from '#tests/database/bank-settings.ts'
import type { Random } from '#nightly/fixtures/random.ts'
import type { Answer, Caller, Wire } from '#nightly/fixtures/wire.ts'

/**
 * With these settings, the small transfers of a run need no decision, all larger transfers wait for a decision, and no
 * customer reaches another limit.
 */
export const transferEnvironment = {
  FEATURES: 'transferencias',
  ...environmentOf(withoutTransferLimits),
  TRANSFER_AUTOMATIC_MAX: '1000',
}
/** Opening balance of each customer. This balance is high enough for all transfers of a run. */
export const openingBalance = '1000000.00'

/** Orders that are sent at the same moment about a transfer that waits. */
const actsOnWaiting: readonly (readonly TransferAct[])[] = [
  ['approve'],
  ['approve'],
  ['approve', 'approve'],
  ['approve', 'cancel'],
  ['decline', 'approve'],
  ['decline'],
  ['cancel'],
  [],
]
const actsOnDone: readonly (readonly TransferAct[])[] = [['return'], ['return', 'return']]
const returnedShare = 0.05

/** Confirms the payee as a beneficiary of the payer. */
export async function befriend(wire: Wire, payer: Caller, address: string): Promise<TransferPair> {
  const id = crypto.randomUUID()
  for (const answer of [
    await wire.rest(payer, 'rpc/add_beneficiary', { id, name: 'Luis', address }),
    await wire.rest(payer, 'rpc/confirm_beneficiary', { id }),
  ])
    if (answer?.status !== 200) throw new Error(`The beneficiary is missing: ${JSON.stringify(answer)}`)
  return { payer, beneficiaryId: id }
}

/** Requests a transfer, and then orders one or two acts on it. */
export async function transfer(traffic: Traffic, random: Random): Promise<void> {
  const { payer, beneficiaryId } = random.one(traffic.pairs)
  const id = random.uuid()
  const body = { id, beneficiary_id: beneficiaryId, amount: transferAmountOf(id) }
  const request = operationOf('transfer', payer, id)
  await perform(traffic, random, request, () => traffic.wire.rest(payer, 'rpc/request_transfer', body))
  await Promise.all(
    actsOn(request.state, random).map((kind) =>
      perform(traffic, random, operationOf(kind, payer, id), () => order(traffic, payer, kind, id)),
    ),
  )
}

function actsOn(state: string | null, random: Random): readonly TransferAct[] {
  if (state === 'waiting') return random.one(actsOnWaiting)
  return state === 'done' && random.number() < returnedShare ? random.one(actsOnDone) : []
}

function order({ wire, administrator }: Traffic, payer: Caller, kind: TransferAct, id: string) {
  if (kind === 'cancel') return wire.rest(payer, 'rpc/cancel_transfer', { id })
  if (kind === 'return')
    return wire.rest(administrator, 'rpc/return_transfer', { id, reason: 'Se pidió por error' })
  const approve = kind === 'approve'
  const reason = approve ? null : 'Pídela en la sucursal'
  return wire.rest(administrator, 'rpc/decide_requests', { ids: [id], approve, reason })
}

async function perform(
  traffic: Traffic,
  random: Random,
  operation: Operation,
  call: () => Promise<Answer>,
): Promise<void> {
  traffic.history.invoke(operation)
  const outcome = await persist(random, async () => {
    traffic.transfersUnderWay += 1
    const answer = await call()
    traffic.transfersUnderWay -= 1
    // A 409 is an error of the server: no other transfer uses the same id, and each of these acts is allowed in the
    // state of its transfer.
    if (answer?.status === 409) {
      traffic.surprises.push(`${operation.kind} ${operation.label}: ${JSON.stringify(answer.body)}`)
      return 'fail'
    }
    return outcomeOf(traffic, answer, (body) => {
      const [request] = [body].flat() as { status: string }[]
      operation.state = request?.status ?? null
      return true
    })
  })
  traffic.history.complete(operation, outcome)
  if (outcome === 'ok') traffic.onAcknowledged()
}

function operationOf(kind: Operation['kind'], payer: Caller, id: string): Operation {
  return { kind, customerId: payer.id, label: id, id, state: null, outcome: 'info' }
}
