/**
 * Transfers in the model. A customer requests and cancels transfers, and an administrator approves, declines and
 * returns transfers. The server ends expired transfers, and carries out scheduled transfers on their day.
 */
import { sql } from '#server/database/database.ts'
import type { Bank } from '#tests/database/bank.ts'
import { ageProof } from '#tests/database/people.ts'
import { runDueSoon } from '#tests/database/transfer-race.ts'
import { day, stored } from '#tests/database/transfers.ts'
import { clearing } from '#tests/database/clearing.ts'
import type { Random } from '#nightly/fixtures/random.ts'
import { type Couple, type ModelTransfer, type Step, decimal, perform } from './model-step.ts'
import { automaticToday, hasMostOpen, isOpen, requestedToday, reservedOf, rules } from './transfer-limits.ts'

/** Each act is about one of the latest 12 transfers, because older transfers are rarely still open. */
const latestCount = 12
/** Names that `befriend`, `addPerson` and `befriendElsewhere` use. */
const [payeeName, payerName, holderName] = ['Luis', 'Ana Pérez', 'Lucía Ñañez']
const reason = 'Se pidió por error'
const runsMax = 100

/** Chooses an operation. */
export function transferStep(bank: Bank, couple: Couple, random: Random): Step {
  const transfer = couple.transfers.length === 0 ? null : random.one(couple.transfers.slice(-latestCount))
  const pick = random.number()
  if (transfer === null || pick < 0.4) return request(bank, couple, random)
  if (pick < 0.45) return repetition(transfer, random)
  if (pick < 0.55) return cancellation(transfer, couple, random)
  if (pick < 0.75) return decision(transfer, couple, random)
  // Returns are rare, because the bank allows an administrator only 600 returns in ten minutes.
  if (pick < 0.8) return transferReturn(bank, transfer, couple)
  if (pick < 0.97) return due(bank, transfer, random)
  return pick < 0.985 ? nextDay(bank, couple) : clearingFile(couple)
}

function request(bank: Bank, couple: Couple, random: Random): Step {
  const { accounts, transfers } = couple
  // Usually the richer customer pays, because most requests would otherwise exceed the balance.
  const isFirst = accounts[0].balanceMinor > accounts[1].balanceMinor === random.number() < 0.8
  const [payer, payee] = isFirst ? accounts : [accounts[1], accounts[0]]
  const amountMinor = 1 + random.integer(random.one([5000, 60_000, 130_000]))
  const isForLater = random.number() < 0.2
  const transfer: ModelTransfer = {
    id: random.uuid(),
    payer,
    payee: random.number() < 0.3 ? null : payee,
    amountMinor,
    status: 'waiting',
    isForLater,
    isDecided: false,
    isOfToday: true,
  }
  const available = Math.max(payer.balanceMinor - reservedOf(payer, transfers), 0)
  const isRefused =
    hasMostOpen(payer, couple) ||
    amountMinor > rules.transferMax ||
    amountMinor > rules.dayMax - requestedToday(payer, transfers) ||
    amountMinor > available
  const isAutomatic = automaticToday(payer, transfers) + amountMinor <= rules.automaticMax
  const expected = isRefused ? 'refused' : isAutomatic ? (isForLater ? 'scheduled' : 'done') : 'waiting'
  return {
    what: 'request',
    expected,
    run: async () => perform(payer.person, requestOf(transfer, isForLater ? await day(bank, 1) : null)),
    apply() {
      if (isRefused) return
      transfers.push(transfer)
      if (expected === 'done') carryOut(transfer)
      else transfer.status = expected
    },
  }
}

function requestOf({ id, payer, payee, amountMinor }: ModelTransfer, dueOn: string | null) {
  const beneficiary = payee === null ? payer.elsewhere : payer.beneficiary
  return sql`
    select id, status
    from public.request_transfer(${id}, ${beneficiary}, ${decimal(amountMinor)}, null, ${dueOn}::date)`
}

/** Sends a request again. The bank refuses the repetition if its amount differs from the first amount. */
function repetition(transfer: ModelTransfer, random: Random): Step {
  const isSame = !transfer.isForLater && random.number() < 0.7
  const again = isSame ? transfer : { ...transfer, amountMinor: transfer.amountMinor + 1 }
  return {
    what: 'repetition',
    expected: isSame ? transfer.status : 'refused',
    run: () => perform(transfer.payer.person, requestOf(again, null)),
    apply() {
      // The model has already applied the first request.
    },
  }
}

/** Cancels a transfer as its payer. The other customer cannot cancel this transfer. */
function cancellation(transfer: ModelTransfer, { accounts }: Couple, random: Random): Step {
  const isPayers = random.number() < 0.9
  const by = accounts.find((account) => (account === transfer.payer) === isPayers) ?? transfer.payer
  return {
    what: 'cancellation',
    expected: isPayers ? (isOpen(transfer) ? 'cancelled' : transfer.status) : 'refused',
    run: () => perform(by.person, sql`select id, status from public.cancel_transfer(${transfer.id})`),
    apply() {
      if (isPayers && isOpen(transfer)) transfer.status = 'cancelled'
    },
  }
}

function decision(transfer: ModelTransfer, { administrator }: Couple, random: Random): Step {
  const approves = random.number() < 0.7
  const isWaiting = transfer.status === 'waiting'
  const isDecided = isWaiting || (transfer.status === 'scheduled' && !approves)
  const approved = transfer.isForLater ? 'scheduled' : carriedOut(transfer)
  const expected = isDecided ? (approves ? approved : 'declined') : transfer.status
  return {
    what: approves ? 'approval' : 'refusal',
    expected,
    run: () =>
      perform(
        administrator,
        sql`select id, status from public.decide_requests(array[${transfer.id}::uuid], ${approves}, ${reason})`,
      ),
    apply() {
      if (!isDecided) return
      transfer.isDecided = true
      if (expected === 'done') carryOut(transfer)
      else transfer.status = expected
    },
  }
}

function transferReturn(bank: Bank, transfer: ModelTransfer, { administrator }: Couple): Step {
  const { id, payer, payee, amountMinor, status } = transfer
  const isReturned = status === 'done'
  return {
    what: 'return',
    expected: isReturned || status === 'returned' ? 'returned' : 'refused',
    run: () => perform(administrator, sql`select id, status from public.return_transfer(${id}, ${reason})`),
    async apply() {
      if (!isReturned) return
      transfer.status = 'returned'
      const [correction] = await bank.owner.query(
        sql<{ id: string }>`select id from public.corrections where corrected_id = ${id}`,
      )
      for (const [account, signedMinor] of [
        [payer, amountMinor],
        [payee, -amountMinor],
      ] as const) {
        if (account === null) continue
        const mistake = account.live.find((row) => row.id === id)
        // If the customer removed the row from the list, its description no longer exists.
        const label = mistake === undefined ? 'Corrección' : `Corrección: ${mistake.label}`
        account.live.push({ id: correction?.id ?? '', label, signedMinor, isBanks: true })
        account.balanceMinor += signedMinor
      }
    },
  }
}

/**
 * Makes an open transfer due, and runs the due requests as the server does. A waiting transfer expires. A scheduled
 * transfer is carried out, unless its day was missed.
 */
function due(bank: Bank, transfer: ModelTransfer, random: Random): Step {
  const daysLate = random.number() < 0.2 ? 3 : random.integer(3)
  const { id, status } = transfer
  const ended = status === 'waiting' ? 'expired' : daysLate > 2 ? 'failed' : carriedOut(transfer)
  return {
    what: 'due',
    expected: isOpen(transfer) ? ended : status,
    async run() {
      if (isOpen(transfer))
        await bank.owner.query(sql`
          update public.requests
          set expires_at = case status when 'waiting' then now() else expires_at end,
            due_on = case status when 'scheduled' then (now() at time zone 'America/Bogota')::date - ${daysLate}::integer else due_on end
          where id = ${id}`)
      // A run skips a request while the run of another couple has locked it.
      for (let runs = 0; runs < runsMax; runs += 1) {
        await runDueSoon(bank, 0)
        const found = (await stored(bank, id))?.status ?? 'absent'
        if (!['waiting', 'scheduled'].includes(found)) return { outcome: found, id }
      }
      return { outcome: 'open', id }
    },
    apply() {
      if (!isOpen(transfer)) return
      if (ended === 'done') carryOut(transfer)
      else transfer.status = ended
    },
  }
}

/** Moves all transfers of the couple to an earlier day, so that the daily limits begin anew. */
function nextDay({ owner }: Bank, { accounts, transfers }: Couple): Step {
  const ids = accounts.map(({ person }) => person.id).join()
  return {
    what: 'next day',
    expected: 'ok',
    async run() {
      await owner.query(sql`
        update public.requests set asked_at = asked_at - interval '2 days' where payer = any (${`{${ids}}`}::uuid[])`)
      return { outcome: 'ok', id: '' }
    },
    apply() {
      for (const transfer of transfers) transfer.isOfToday = false
    },
  }
}

/**
 * Closes a clearing file. Perhaps an administrator of another couple closes the same file, or has already put all
 * transfers into an earlier file.
 */
function clearingFile({ administrator }: Couple): Step {
  return {
    what: 'clearing file',
    expected: 'ok',
    async run() {
      // A run can take longer than the ten minutes for which an entered password counts.
      await ageProof(administrator, 0)
      const { next_number } = await clearing(administrator)
      await perform(
        administrator,
        sql`select 'ok' as status from public.close_clearing_file(${next_number}::integer)`,
      )
      return { outcome: 'ok', id: '' }
    },
    apply() {
      // A clearing file changes no balance.
    },
  }
}

const carriedOut = ({ payer, amountMinor }: ModelTransfer) =>
  payer.balanceMinor < amountMinor ? 'failed' : 'done'

function carryOut(transfer: ModelTransfer): void {
  const { id, payer, payee, amountMinor } = transfer
  const name = payee === null ? holderName : payeeName
  transfer.status = 'done'
  payer.balanceMinor -= amountMinor
  payer.live.push({
    id,
    label: `Transferencia enviada a «${name}»`,
    signedMinor: -amountMinor,
    isBanks: true,
  })
  if (payee === null) return
  payee.balanceMinor += amountMinor
  payee.live.push({
    id,
    label: `Transferencia recibida de «${payerName}»`,
    signedMinor: amountMinor,
    isBanks: true,
  })
}
