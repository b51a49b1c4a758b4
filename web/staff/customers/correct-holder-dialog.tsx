import { useQueryClient } from '@tanstack/react-query'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { useState } from 'react'
import { backend } from '#api/client.ts'
import { createRepeatable } from '#api/repeatable.ts'
import { unwrap } from '#api/unwrap.ts'
import { fullNameLengthMax } from '@finanzas/contract/limits.ts'
import { documentKinds, type DocumentKind } from '@finanzas/contract/database-types.ts'
import { readDocumentNumber, readPhone } from '#staff/forms/holder-data.ts'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { asLine, readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { customersCopy } from './copy.ts'
import { customerKeys, type Customer } from './customer.ts'

const copy = customersCopy.holder

type HolderData = Pick<Customer, 'full_name' | 'document_kind' | 'document_number' | 'phone'>

/** Corrects the name, the document and the telephone of a customer. */
export function CorrectHolderDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { id, full_name, document_kind, document_number, phone } = customer
  const client = useQueryClient()
  const [repeat] = useState(createRepeatable)
  const send = (data: HolderData) =>
    repeat(data, async ({ key }) => {
      const api = await backend()
      const order = { user_id: id, idempotency_key: key, full_name: data.full_name ?? '' }
      unwrap(
        await api.rpc('correct_holder', {
          ...order,
          ...(data.document_kind !== null && { document_kind: data.document_kind }),
          ...(data.document_number !== null && { document_number: data.document_number }),
          ...(data.phone !== null && { phone: data.phone }),
        }),
      )
    })
  return (
    <StaffDialog<HolderData, 'name' | 'number' | 'phone'>
      purpose={copy.purpose}
      title={copy.correct}
      failedTitle={copy.failedTitle}
      description={customer.email}
      submitLabel={copy.submit}
      onClose={onClose}
      read={readHolder}
      send={send}
      success={{ title: copy.doneTitle, description: copy.doneText }}
      onDone={async () => {
        onClose()
        await client.invalidateQueries({ queryKey: customerKeys.opened(id) })
      }}
    >
      {(errors) => (
        <>
          <InputField
            label={copy.name}
            name="name"
            defaultValue={full_name ?? ''}
            maxLength={fullNameLengthMax}
            autoComplete="off"
            error={errors.name}
            required
          />
          <DocumentFields kind={document_kind} number={document_number} error={errors.number} />
          <InputField
            label={copy.phone}
            name="phone"
            type="tel"
            defaultValue={phone ?? ''}
            maxLength={30}
            autoComplete="off"
            error={errors.phone}
          />
        </>
      )}
    </StaffDialog>
  )
}

type DocumentProps = {
  kind: HolderData['document_kind']
  number: HolderData['document_number']
  error: string | undefined
}

function DocumentFields({ kind: current, number, error }: DocumentProps) {
  return (
    <>
      <SelectField label={copy.kind} name="kind" defaultValue={current ?? ''}>
        <option value="">{copy.missing}</option>
        {documentKinds.map((kind) => (
          <option key={kind} value={kind}>
            {copy.kinds[kind]}
          </option>
        ))}
      </SelectField>
      <InputField
        label={copy.number}
        name="number"
        defaultValue={number ?? ''}
        maxLength={30}
        autoComplete="off"
        error={error}
      />
    </>
  )
}

function readHolder(fields: FormData): Reading<HolderData, 'name' | 'number' | 'phone'> {
  const name = asLine(textOf(fields, 'name'))
  const kind = textOf(fields, 'kind') as DocumentKind | ''
  const typedNumber = textOf(fields, 'number').trim()
  const typedPhone = textOf(fields, 'phone').trim()
  const number = kind === '' ? null : readDocumentNumber(kind, typedNumber)
  const phone = readPhone(typedPhone)
  return readingOf(
    {
      ...(name === '' && { name: copy.missingName }),
      ...((kind === '' ? typedNumber !== '' : number === null) && { number: copy.wrongNumber }),
      ...(typedPhone !== '' && phone === null && { phone: copy.wrongPhone }),
    },
    { full_name: name, document_kind: kind === '' ? null : kind, document_number: number, phone },
  )
}
