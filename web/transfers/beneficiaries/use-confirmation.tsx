import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { refusalMessage } from '#api/refusals.ts'
import { createRepeatable } from '#api/repeatable.ts'
import { isUnproven, useProof } from '#people/session/proof/use-proof.tsx'
import { isSameAccount, type TypedBeneficiary } from './beneficiary-fields.tsx'
import { transfersCopy } from '#transfers/copy.ts'
import { provenCall } from '#transfers/refusals.ts'
import { addBeneficiary, confirmBeneficiary } from '#transfers/transfer-calls.ts'
import type { Beneficiary } from '#transfers/transfers.ts'

const copy = transfersCopy.beneficiaries

/** A beneficiary that can receive money. */
export type Payee = Beneficiary & { payee_name: string }

/** Thrown if the beneficiary's address does not belong to any customer of the bank. */
export class StrangerError extends Error {
  override readonly name = 'StrangerError'
  readonly address: string

  constructor({ address }: Pick<Beneficiary, 'address'>) {
    super(copy.notACustomer)
    this.address = address ?? ''
  }
}

/**
 * Returns the function `confirmed` and a dialog. `confirmed` adds a beneficiary that is not in the `known` list, and
 * then confirms the beneficiary. If the bank requires it, the dialog asks for the password or a mailed code. The dialog
 * must be rendered outside the form.
 */
export function useConfirmation(userId: string): {
  /** Throws a `StrangerError`, or the bank's refusal. */
  confirmed: (wanted: TypedBeneficiary, known: readonly Beneficiary[]) => Promise<Payee>
  /** Looks up an address again. Throws a `StrangerError`, or the bank's refusal. */
  retried: (beneficiary: Beneficiary) => Promise<Payee>
  dialog: ReactNode
} {
  const client = useQueryClient()
  const [repeat] = useState(createRepeatable)
  const { proven, dialog } = useProof(transfersCopy.proofPurpose)
  const confirmed = async (wanted: TypedBeneficiary, known: readonly Beneficiary[]) => {
    const { name, address, destination } = wanted
    const beneficiary =
      known.find((each) => isSameAccount(each, wanted)) ??
      (await repeat({ name, address, destination }, ({ key }) =>
        addBeneficiary(client, userId, { id: key, name, address, destination }),
      ))
    const answer =
      beneficiary.confirmed_at === null
        ? await proven(() => confirmBeneficiary(client, userId, beneficiary.id))
        : beneficiary
    return payeeIn(answer)
  }
  const retried = async ({ id }: Beneficiary) =>
    payeeIn(await proven(() => confirmBeneficiary(client, userId, id, true)))
  return { confirmed, retried, dialog }
}

function payeeIn(answer: Beneficiary): Payee {
  const { payee_name } = answer
  if (payee_name === null) throw new StrangerError(answer)
  return { ...answer, payee_name }
}

/** Returns the toast for a beneficiary that could not be confirmed. */
export function unconfirmedToast(error: unknown): { title: string; description: string } {
  if (error instanceof StrangerError)
    return { title: copy.strangerTitle, description: copy.strangerText(error.address) }
  const failedTitle = isUnproven(error) ? copy.unconfirmedTitle : copy.failedTitle
  return refusalMessage(error, provenCall({ failedTitle, unproven: copy.unproven }))
}
