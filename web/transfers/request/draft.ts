/** Reads the form for a new transfer. */
import { conceptLengthMax } from '@finanzas/contract/limits.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { dayOf, isoDay } from '#ui/format/dates.ts'
import { readAmount } from '#amounts/amounts.ts'
import { lineOf, readingOf, textOf, type Reading } from '#ui/form/form.ts'
import {
  readBeneficiary,
  type BeneficiaryField,
  type TypedBeneficiary,
} from '#transfers/beneficiaries/beneficiary-fields.tsx'
import { limitTexts, transfersCopy } from '#transfers/copy.ts'
import type { TransferAccount, Transfers } from '#transfers/transfers.ts'
import { lineError } from '#ui/format/line-error.ts'
import type { Payee } from '#transfers/beneficiaries/use-confirmation.tsx'

const copy = transfersCopy.dialog

/** A transfer that the customer has filled in but not sent. */
export type Draft = {
  payee: Payee
  amountMinor: MinorUnits
  /** Empty if the customer did not write a description. */
  description: string
  /** `null` for a transfer that is sent now. */
  dueOn: string | null
}

export type DraftField = BeneficiaryField | 'to' | 'amount' | 'description' | 'date'

/** The values of the form, before the bank has confirmed the beneficiary. */
export type TypedDraft = Omit<Draft, 'payee'> & { to: TypedBeneficiary }

/** Value of the select field for a person who is not a beneficiary yet. */
export const newBeneficiary = 'new'

/** Maximum number of days between today and the day on which a transfer is sent. */
const daysAheadMax = 365

/** Returns the last day on which a transfer may be sent. */
export function lastDayOf(today: string): string {
  return isoDay(dayOf(today) + daysAheadMax)
}

type Chosen = {
  to: string
  dueOn: string
  today: string
  ownAddress: string | undefined
  transfers: Transfers
}

/** Reads the form, or returns an error message for each field with an invalid value. */
export function readDraft(
  fields: FormData,
  { to, dueOn, today, ownAddress, transfers: { account, beneficiaries } }: Chosen,
): Reading<TypedDraft, DraftField> {
  const chosen = beneficiaries.find(({ id }) => id === to)
  const typed = to === newBeneficiary ? readBeneficiary(fields, ownAddress) : null
  const amount = readAmount(textOf(fields, 'amount'))
  const amountError = amount.ok ? checkAmount(amount.amountMinor, account) : amount.error
  const description = lineOf(fields, 'description')
  const descriptionError = descriptionErrorOf(description)
  const wanted = typed?.value ?? chosen
  const isOutside = dueOn < today || dueOn > lastDayOf(today)
  return readingOf(
    {
      ...typed?.errors,
      ...(wanted === undefined && { to: copy.missingTo }),
      ...(amountError !== undefined && { amount: amountError }),
      ...(descriptionError !== undefined && { description: descriptionError }),
      ...(dueOn === '' ? { date: copy.missingDate } : isOutside && { date: copy.farDate }),
    },
    {
      to: wanted ?? { name: '', address: '', destination: null },
      amountMinor: amount.ok ? amount.amountMinor : (0 as MinorUnits),
      description,
      dueOn: dueOn === today ? null : dueOn,
    },
  )
}

function descriptionErrorOf(description: string): string | undefined {
  return description === '' ? undefined : lineError(description, conceptLengthMax)
}

/**
 * Returns an error message if the customer cannot transfer the amount. The limits of a period apply to the day of the
 * request, even if the transfer is sent on a later day. The database checks every limit again.
 */
export function checkAmount(
  amountMinor: MinorUnits,
  { availableMinor, limits }: TransferAccount,
): string | undefined {
  if (amountMinor > availableMinor) return copy.overAvailable
  const exceeded = limits.find(({ leftMinor }) => amountMinor > leftMinor)
  return exceeded && limitTexts(exceeded.name)?.over
}
