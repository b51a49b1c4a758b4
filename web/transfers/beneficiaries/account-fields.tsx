import { useState } from 'react'
import {
  accountKinds,
  compactNumber,
  documentKinds,
  isAccountNumber,
  isDocument,
  type Account,
} from '@finanzas/contract/transfers/account.ts'
import { banks } from '@finanzas/contract/transfers/banks.ts'
import { transfersCopy } from '#transfers/copy.ts'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { textOf, type FieldErrors } from '#ui/form/form.ts'

const copy = transfersCopy.beneficiaries.elsewhere

export type AccountField = 'bank' | 'account_number' | 'document'

/** Fields for an account at another bank and for the identification of its holder. */
export function AccountFields({ errors }: { errors: FieldErrors<AccountField> }) {
  const [kind, setKind] = useState('savings')
  return (
    <>
      <SelectField label={copy.bank} name="bank" defaultValue="" error={errors.bank}>
        <option value="">{copy.chooseBank}</option>
        {bankOptions.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={copy.kind}
        name="account_kind"
        value={kind}
        onChange={({ target }) => setKind(target.value)}
      >
        <Options names={accountKinds} />
      </SelectField>
      <InputField
        label={copy.number}
        name="account_number"
        inputMode="numeric"
        autoComplete="off"
        hint={kind === 'deposit' ? copy.depositHint : undefined}
        error={errors.account_number}
      />
      <SelectField label={copy.documentKind} name="document_kind" defaultValue="CC">
        <Options names={documentKinds} />
      </SelectField>
      <InputField
        label={copy.document}
        name="document"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={errors.document}
      />
    </>
  )
}

const bankOptions = Object.entries(banks).toSorted(([, one], [, other]) => one.localeCompare(other, 'es'))

function Options({ names }: { names: Readonly<Record<string, string>> }) {
  return Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))
}

/** Reads the fields. The returned numbers are compact, because the database stores compact numbers. */
export function readAccountFields(fields: FormData): { value: Account; errors: FieldErrors<AccountField> } {
  const value = {
    bank: textOf(fields, 'bank'),
    kind: textOf(fields, 'account_kind'),
    number: compactNumber(textOf(fields, 'account_number')),
    document_kind: textOf(fields, 'document_kind'),
    document: compactNumber(textOf(fields, 'document')).toUpperCase(),
  }
  const isNit = value.document_kind === 'NIT'
  return {
    value,
    errors: {
      ...(value.bank === '' && { bank: copy.missingBank }),
      ...(!isAccountNumber(value.kind, value.number) && { account_number: copy.badNumber }),
      ...(!isDocument(value.document_kind, value.document) && {
        document: isNit ? copy.badNit : copy.badDocument,
      }),
    },
  }
}
