import { emailLengthMax } from '@finanzas/contract/limits.ts'
import { isPlainLine } from '@finanzas/contract/plain-line.ts'
import { InputField } from '#ui/form/field.tsx'
import { lineOf, textOf, type FieldErrors } from '#ui/form/form.ts'
import { isAlias } from './alias.ts'
import { transfersCopy } from './copy.ts'
import type { Beneficiary } from './transfers.ts'

const copy = transfersCopy.beneficiaries

/** Maximum length of the name that a customer gives a beneficiary. The database checks the same limit. */
const nameLengthMax = 80

export type BeneficiaryField = 'name' | 'address'
export type TypedBeneficiary = Pick<Beneficiary, 'name' | 'address'>

type Props = { values?: TypedBeneficiary; errors: FieldErrors<BeneficiaryField> }

/** Fields for a new beneficiary's name, and for their email address or alias. */
export function BeneficiaryFields({ values, errors }: Props) {
  return (
    <>
      <InputField
        label={copy.name}
        name="name"
        autoComplete="off"
        defaultValue={values?.name}
        error={errors.name}
      />
      <InputField
        label={copy.address}
        name="address"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={values?.address}
        error={errors.address}
      />
    </>
  )
}

/** Reads the fields. The address is in lower case, as the database keeps it. */
export function readBeneficiary(
  fields: FormData,
  ownAddress: string | undefined,
): { value: TypedBeneficiary; errors: FieldErrors<BeneficiaryField> } {
  const name = lineOf(fields, 'name')
  const address = textOf(fields, 'address').toLowerCase()
  const nameError = nameErrorOf(name)
  const addressError =
    !isAddress(address) || address.length > emailLengthMax
      ? copy.badAddress
      : address === ownAddress?.toLowerCase()
        ? copy.ownAddress
        : undefined
  return {
    value: { name, address },
    errors: {
      ...(nameError !== undefined && { name: nameError }),
      ...(addressError !== undefined && { address: addressError }),
    },
  }
}

function isAddress(text: string): boolean {
  return text.startsWith('@') ? isAlias(text.slice(1)) : /^[^@\s]+@[^@\s]+$/.test(text)
}

function nameErrorOf(name: string): string | undefined {
  if (name === '') return copy.missingName
  if (!isPlainLine(name)) return copy.unsavableName
  return [...name].length > nameLengthMax ? copy.longName : undefined
}
