import { useState } from 'react'
import type { TextLengthMax } from '@finanzas/contract/database-types.ts'
import { emailLengthMax } from '@finanzas/contract/limits.ts'
import { AccountFields, readAccountFields, type AccountField } from './account-fields.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { lineOf, textOf, type FieldErrors } from '#ui/form/form.ts'
import { isAlias } from '#transfers/alias.ts'
import { transfersCopy } from '#transfers/copy.ts'
import { lineError } from '#ui/format/line-error.ts'
import type { Beneficiary } from '#transfers/transfers.ts'

const copy = transfersCopy.beneficiaries

export type BeneficiaryField = 'name' | 'address' | AccountField
export type TypedBeneficiary = Pick<Beneficiary, 'name' | 'address' | 'destination'>

/** Value of the select field for an account at another bank. */
const elsewhere = 'elsewhere'

/** Fields for a new beneficiary's name, and for the email address, the alias or the account at another bank. */
export function BeneficiaryFields({ errors }: { errors: FieldErrors<BeneficiaryField> }) {
  const [where, setWhere] = useState('')
  const isElsewhere = where === elsewhere
  return (
    <>
      <SelectField
        label={copy.where}
        name="where"
        value={where}
        onChange={({ target }) => setWhere(target.value)}
      >
        <option value="">{copy.here}</option>
        <option value={elsewhere}>{copy.elsewhere.where}</option>
      </SelectField>
      <InputField
        label={isElsewhere ? copy.elsewhere.holder : copy.name}
        name="name"
        autoComplete="off"
        error={errors.name}
      />
      {isElsewhere ? (
        <AccountFields errors={errors} />
      ) : (
        <InputField
          label={copy.address}
          name="address"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.address}
        />
      )}
    </>
  )
}

/** Reads the fields. The returned address is in lower case, because the database stores addresses in lower case. */
export function readBeneficiary(
  fields: FormData,
  ownAddress: string | undefined,
): { value: TypedBeneficiary; errors: FieldErrors<BeneficiaryField> } {
  const name = lineOf(fields, 'name')
  const address = textOf(fields, 'address').toLowerCase()
  const nameError = nameErrorOf(name)
  if (textOf(fields, 'where') === elsewhere) {
    const { value: destination, errors } = readAccountFields(fields)
    return {
      value: { name, address: null, destination },
      errors: { ...errors, ...(nameError !== undefined && { name: nameError }) },
    }
  }
  const addressError =
    !isAddress(address) || address.length > emailLengthMax
      ? copy.badAddress
      : address === ownAddress?.toLowerCase()
        ? copy.ownAddress
        : undefined
  return {
    value: { name, address, destination: null },
    errors: {
      ...(nameError !== undefined && { name: nameError }),
      ...(addressError !== undefined && { address: addressError }),
    },
  }
}

/** Returns whether two beneficiaries have the same account. */
export function isSameAccount(one: TypedBeneficiary, other: TypedBeneficiary): boolean {
  if (one.destination === null || other.destination === null) {
    return one.destination === other.destination && one.address === other.address
  }
  return (
    one.destination.bank === other.destination.bank && one.destination.number === other.destination.number
  )
}

function isAddress(text: string): boolean {
  return text.startsWith('@') ? isAlias(text.slice(1)) : /^[^@\s]+@[^@\s]+$/.test(text)
}

const nameLengthMax: TextLengthMax['beneficiaries']['name'] = 80

function nameErrorOf(name: string): string | undefined {
  if (name === '') return copy.missingName
  return lineError(name, nameLengthMax)
}
