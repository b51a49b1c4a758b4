import { ColumnField, DecimalField, MappingDetails } from '#upload/mapping-details.tsx'
import type { Table } from '#upload/table.ts'
import { InputField } from '#ui/form/field.tsx'
import { batchCopy as copy } from './copy.ts'
import { columnRoles, type ColumnMapping } from '#features/admin/deposits/read/column-mapping.ts'

type Props = {
  table: Table
  mapping: ColumnMapping
  onChange: (mapping: ColumnMapping) => void
  common: string
  onCommon: (common: string) => void
}

/** How the sheet was read, to correct. */
export function MappingFields({ table, mapping, onChange, common, onCommon }: Props) {
  return (
    <MappingDetails table={table} missing={isIncomplete(mapping) ? copy.missing : null} isOpen={false}>
      {columnRoles.map((role) => (
        <ColumnField
          key={role}
          label={copy.roles[role]}
          table={table}
          place={mapping[role]}
          onChoose={(place) => onChange({ ...mapping, [role]: place })}
        />
      ))}
      <DecimalField value={mapping.decimal} onChange={(decimal) => onChange({ ...mapping, decimal })} />
      <InputField
        label={copy.common}
        value={common}
        maxLength={200}
        onChange={({ target }) => onCommon(target.value)}
      />
    </MappingDetails>
  )
}

export function isIncomplete({ customer, amount }: ColumnMapping): boolean {
  return customer === null || amount === null
}
