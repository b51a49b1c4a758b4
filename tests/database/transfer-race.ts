/**
 * Races between two calls about one transfer. Two simultaneous calls must have the effect of two successive calls. The
 * tests of every commit run a few rounds of each race, and `npm run nightly -- transfer-races` runs a thousand rounds.
 */
import { SqlError, sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import type { Bank } from './bank.ts'
import { type Person, ageProof, closeAccount } from './people.ts'
import { type Transfer, cancel, day, request, returnTransfer, stored } from './transfers.ts'
import { decide } from './decisions.ts'
import { closeFile } from './clearing.ts'
import { addHolder, befriend, befriendElsewhere } from './beneficiaries.ts'

type Round = {
  bank: Bank
  administrator: Person
  colleague: Person
  payer: Person
  payee: Person
  transfer: Transfer
}

export type Race = {
  amount: string
  isElsewhere?: boolean
  isScheduled?: boolean
  isApproved?: boolean
  acts: readonly ((round: Round) => Promise<unknown>)[]
  /** States that the transfer may have after the race. */
  ends: readonly string[]
}

const balance = '5000'
/** Maximum number of reads until a transfer must have ended. */
const readsMax = 1000

/** Runs the due requests as the server would after the given number of days, on a connection of the pool. */
export const runDueSoon = (bank: Bank, days: number) =>
  bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    sql`select private.run_due_requests(100, now() + make_interval(days => ${days}))`,
  ])

/**
 * Closes the next clearing file. Another round may have closed this file or taken all transfers in the meantime. The
 * database then refuses the file's number.
 */
async function closeNextFile(administrator: Person): Promise<void> {
  // The nightly races last longer than ten minutes, after which the password would have to be entered again.
  await ageProof(administrator, 0)
  try {
    await closeFile(administrator)
  } catch (error) {
    if (!(error instanceof SqlError) || error.sqlState !== 'PT409') throw error
  }
}

export const transferRaces: Readonly<Record<string, Race>> = {
  'two approvals': {
    amount: '500',
    acts: [
      ({ administrator, transfer }) => decide(administrator, [transfer.id], true),
      ({ colleague, transfer }) => decide(colleague, [transfer.id], true),
    ],
    ends: ['done'],
  },
  'an approval and a refusal': {
    amount: '500',
    acts: [
      ({ administrator, transfer }) => decide(administrator, [transfer.id], true),
      ({ colleague, transfer }) => decide(colleague, [transfer.id], false),
    ],
    ends: ['done', 'declined'],
  },
  'an approval and a cancellation': {
    amount: '500',
    acts: [
      ({ administrator, transfer }) => decide(administrator, [transfer.id], true),
      ({ transfer, payer }) => cancel(payer, transfer.id),
    ],
    ends: ['done', 'cancelled'],
  },
  'a refusal and the expiry': {
    amount: '500',
    acts: [
      ({ administrator, transfer }) => decide(administrator, [transfer.id], false),
      ({ bank }) => runDueSoon(bank, 3),
    ],
    ends: ['declined', 'expired'],
  },
  'an approval and the expiry': {
    amount: '500',
    acts: [
      ({ administrator, transfer }) => decide(administrator, [transfer.id], true),
      ({ bank }) => runDueSoon(bank, 3),
    ],
    ends: ['done', 'expired'],
  },
  'two runs on the day of a transfer': {
    amount: '50',
    isScheduled: true,
    acts: [({ bank }) => runDueSoon(bank, 1), ({ bank }) => runDueSoon(bank, 1)],
    ends: ['done'],
  },
  'the day of a transfer and its cancellation': {
    amount: '50',
    isScheduled: true,
    acts: [({ bank }) => runDueSoon(bank, 1), ({ transfer, payer }) => cancel(payer, transfer.id)],
    ends: ['done', 'cancelled'],
  },
  'the closing of the payer’s account and an approval': {
    amount: '500',
    acts: [
      ({ payer }) => closeAccount(payer),
      ({ administrator, transfer }) => decide(administrator, [transfer.id], true),
    ],
    ends: ['done', 'cancelled'],
  },
  'the closing of the payee’s account and an approval': {
    amount: '500',
    acts: [
      ({ payee }) => closeAccount(payee),
      ({ administrator, transfer }) => decide(administrator, [transfer.id], true),
    ],
    ends: ['done', 'failed'],
  },
  'the closing of both accounts': {
    amount: '500',
    acts: [({ payer }) => closeAccount(payer), ({ payee }) => closeAccount(payee)],
    ends: ['cancelled', 'failed'],
  },
  'an approval and a cancellation of a transfer elsewhere': {
    amount: '500',
    isElsewhere: true,
    acts: [
      ({ administrator, transfer }) => decide(administrator, [transfer.id], true),
      ({ transfer, payer }) => cancel(payer, transfer.id),
    ],
    ends: ['done', 'cancelled'],
  },
  'the closing of the payer’s account and the approval of a transfer elsewhere': {
    amount: '500',
    isElsewhere: true,
    acts: [
      ({ payer }) => closeAccount(payer),
      ({ administrator, transfer }) => decide(administrator, [transfer.id], true),
    ],
    ends: ['done', 'cancelled'],
  },
  'a clearing file and the return of a transfer elsewhere': {
    amount: '500',
    isElsewhere: true,
    isApproved: true,
    acts: [
      ({ administrator }) => closeNextFile(administrator),
      ({ colleague, transfer }) => returnTransfer(colleague, transfer.id),
    ],
    ends: ['returned'],
  },
  'two clearing files': {
    amount: '500',
    isElsewhere: true,
    isApproved: true,
    acts: [({ administrator }) => closeNextFile(administrator), ({ colleague }) => closeNextFile(colleague)],
    ends: ['done'],
  },
  'two returns': {
    amount: '500',
    isApproved: true,
    acts: [
      ({ administrator, transfer }) => returnTransfer(administrator, transfer.id),
      ({ colleague, transfer }) => returnTransfer(colleague, transfer.id),
    ],
    ends: ['returned'],
  },
}

/** Runs one round of a race between new customers. Returns the state of the transfer and the violated rules. */
export async function runRound(
  { amount, isElsewhere = false, isScheduled = false, isApproved = false, acts, ends }: Race,
  { bank, colleague, isReversed }: { bank: Bank; colleague: Person; isReversed: boolean },
): Promise<{ status: string; faults: string[] }> {
  const { administrator } = bank
  const [payer, payee] = [await addHolder(bank, balance), await addHolder(bank, '0')]
  const beneficiary = isElsewhere ? await befriendElsewhere(payer) : await befriend(payer, payee)
  const due_on = isScheduled ? await day(bank, 1) : null
  const transfer = await request(payer, beneficiary, amount, { due_on })
  if (isApproved) await decide(administrator, [transfer.id], true)
  const round = { bank, administrator, colleague, payer, payee, transfer }

  const answers = await Promise.all((isReversed ? acts.toReversed() : acts).map((act) => act(round)))

  const status = await lastStatusOf(round)
  const { postings, corrections, sum, owed, files, wanted } = await movedBy(round)
  const contradicting = answers.flatMap(statesOf).filter((state) => state !== status)
  const sides = isElsewhere ? 1 : 2
  const isCarriedOut = ['done', 'returned'].includes(status)
  return {
    status,
    faults: [
      ...(ends.includes(status) ? [] : [`the transfer is ${status}`]),
      ...contradicting.map((state) => `the transfer is ${status}, and a call answered ${state}`),
      ...(postings === (isCarriedOut ? sides : 0) ? [] : [`${status}: ${postings} postings`]),
      ...(corrections === (status === 'returned' ? sides : 0)
        ? []
        : [`${status}: ${corrections} corrections`]),
      ...(Number(sum) + owed === Number(balance)
        ? []
        : [`${status}: the sum is ${sum}, and the clearing has ${owed}`]),
      ...(files === wanted ? [] : [`${status}: in ${files} files, not ${wanted}`]),
    ],
  }
}

/**
 * Returns the state of the transfer once it has ended. If another round has locked the transfer, the runs of this round
 * skip it. The other round then ends the transfer, perhaps after the calls of this round.
 */
async function lastStatusOf({ bank, transfer }: Round): Promise<string> {
  let status = 'absent'
  for (let reads = 0; reads < readsMax; reads += 1) {
    status = (await stored(bank, transfer.id))?.status ?? 'absent'
    if (!['waiting', 'scheduled'].includes(status)) break
  }
  return status
}

/**
 * Returns the states of transfers in the answer to a call. Each call of a race either ends the transfer or finds that
 * the transfer has ended, so it must return the last state.
 */
function statesOf(answer: unknown): string[] {
  return [answer].flat().flatMap((row) => (isRecord(row) && 'status' in row ? [String(row['status'])] : []))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * Returns the number of postings of a transfer, and the sum of their amounts for the payer and the payee. Also returns the
 * amount in the clearing, the number of files that contain the transfer, and the number of files that should contain
 * it.
 */
async function movedBy({ bank, transfer, payer, payee }: Round) {
  const [moved] = await bank.owner.query(
    sql<{
      postings: number
      corrections: number
      sum: string
      owed: number
      files: number
      wanted: number
    }>`
      select
        (select count(*)::integer from ledger.journal where user_id in (${payer.id}, ${payee.id}) and transaction_id = ${transfer.id})
          as postings,
        (select count(*)::integer from public.corrections where corrected_id = ${transfer.id}) as corrections,
        (
          select trim_scale(sum(delta))::text from ledger.journal
          where user_id in (${payer.id}, ${payee.id}) and kind <> 'closing'
        ) as sum,
        coalesce((
          select t.amount from private.clearing_transfers t join public.requests r on r.id = t.transfer_id
          where t.transfer_id = ${transfer.id} and r.status = 'done'
        ), 0)::float as owed,
        (
          select count(*)::integer from private.clearing_files f
          where f.csv like '%' || replace(${transfer.id}, '-', '') || '%'
        ) as files,
        (select count(t.file)::integer from private.clearing_transfers t where t.transfer_id = ${transfer.id}) as wanted`,
  )
  return moved ?? { postings: -1, corrections: -1, sum: '', owed: 0, files: -1, wanted: 0 }
}
