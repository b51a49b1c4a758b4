/** Changes the customer's transfers, beneficiaries and limits. Every call throws the table API's error. */
import type { QueryClient } from '@tanstack/react-query'
import { numberFromMinor, type MinorUnits } from '@finanzas/contract/money.ts'
import { conflictCode } from '#api/error-codes.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { refreshSummary } from '#data/refresh.ts'
import { beneficiaryOf, type Beneficiary, type Transfer, type TransferAccount } from './transfers.ts'

export type NewTransfer = {
  /** Every attempt to send the same form has the same id, so that only one attempt moves money. */
  id: string
  beneficiaryId: string
  amountMinor: MinorUnits
  /** Empty if the customer did not write a description. */
  description: string
  /** `null` for a transfer that is sent now. */
  dueOn: string | null
}

/**
 * Thrown if the bank has already received a transfer with the same id and other values. This happens if the answer to
 * the first attempt was lost, and the customer then changed the values.
 */
export class SentBeforeError extends Error {
  override readonly name = 'SentBeforeError'
}

/** Asks the bank for a transfer, and returns the transfer with its status. */
export async function requestTransfer(
  client: QueryClient,
  userId: string,
  { id, beneficiaryId, amountMinor, description, dueOn }: NewTransfer,
): Promise<Transfer> {
  const api = await backend()
  const answer = await api.rpc('request_transfer', {
    id,
    beneficiary_id: beneficiaryId,
    amount: numberFromMinor(amountMinor),
    ...(description !== '' && { description }),
    ...(dueOn !== null && { due_on: dueOn }),
  })
  // The form closes without waiting for the new figures.
  void refreshSummary(client, userId)
  if (answer.error?.code === conflictCode) {
    const known = unwrap(await api.from('requests').select('id').eq('payer', userId).eq('id', id))
    if (known.length > 0) throw new SentBeforeError(answer.error.message)
  }
  return unwrap(answer)
}

/**
 * Cancels a transfer that has not been sent. Returns the transfer with its current status, because it may have ended
 * before the cancellation.
 */
export async function cancelTransfer(client: QueryClient, userId: string, id: string): Promise<Transfer> {
  const api = await backend()
  const ended = unwrap(await api.rpc('cancel_transfer', { id }))
  await refreshSummary(client, userId)
  return ended
}

/** Adds a beneficiary. The customer must confirm the beneficiary before transferring money. */
export async function addBeneficiary(
  client: QueryClient,
  userId: string,
  { id, name, address, destination }: Pick<Beneficiary, 'id' | 'name' | 'address' | 'destination'>,
): Promise<Beneficiary> {
  const api = await backend()
  const added = unwrap(
    destination === null
      ? await api.rpc('add_beneficiary', { id, name, address: address ?? '' })
      : await api.rpc('add_account_beneficiary', {
          id,
          name,
          bank: destination.bank,
          account_kind: destination.kind,
          account_number: destination.number,
          document_kind: destination.document_kind,
          document: destination.document,
        }),
  )
  await refreshSummary(client, userId)
  return beneficiaryOf(added)
}

/**
 * Confirms a beneficiary, or looks up `again` an address that did not belong to a customer. The answer has no `payee_name` if no customer of the bank has the address. Throws an error
 * with the code `reauthentication_needed` if the user must prove their identity first.
 */
export async function confirmBeneficiary(
  client: QueryClient,
  userId: string,
  id: string,
  again = false,
): Promise<Beneficiary> {
  const api = await backend()
  const confirmed = unwrap(await api.rpc('confirm_beneficiary', { id, ...(again && { again }) }))
  await refreshSummary(client, userId)
  return beneficiaryOf(confirmed)
}

export async function removeBeneficiary(client: QueryClient, userId: string, id: string): Promise<void> {
  const api = await backend()
  unwrap(await api.rpc('remove_beneficiary', { id }))
  await refreshSummary(client, userId)
}

/** The customer's own limits for a single transfer and for a day. */
export type OwnLimits = Readonly<Record<'transfer' | 'day', MinorUnits | null>>

/**
 * Sets the customer's own limits. A limit that is `null` is removed. Throws an error with the code
 * `reauthentication_needed` if a limit is raised and the user must prove their identity first.
 */
export async function setTransferLimits(
  client: QueryClient,
  userId: string,
  { transfer, day }: OwnLimits,
): Promise<void> {
  const api = await backend()
  const decimal = (own: MinorUnits | null) => (own === null ? null : numberFromMinor(own))
  // The generated type does not allow null, but the SQL function accepts it.
  const limits = {
    transfer_max: decimal(transfer) as number,
    day_max: decimal(day) as number,
  }
  unwrap(await api.rpc('set_transfer_limits', limits))
  await refreshSummary(client, userId)
}

export type Reception = Pick<TransferAccount, 'receiveMinMinor' | 'receivesFromKnown'>

/**
 * Sets which transfers the customer receives. Throws an error with the code `reauthentication_needed` if the user must
 * prove their identity first.
 */
export async function setTransferReception(
  client: QueryClient,
  userId: string,
  { receiveMinMinor, receivesFromKnown }: Reception,
): Promise<void> {
  const api = await backend()
  unwrap(
    await api.rpc('set_transfer_reception', {
      // The generated type does not allow null, but the SQL function accepts it.
      receive_min: (receiveMinMinor === null ? null : numberFromMinor(receiveMinMinor)) as number,
      from_known: receivesFromKnown,
    }),
  )
  await refreshSummary(client, userId)
}
