import { ColumnField, DecimalField, LayoutDetails } from '#ledger/table-file/layout-details.tsx'
import type { Table } from '#ledger/table-file/table.ts'
import { InputField } from '#ui/form/field.tsx'
import { batchCopy as copy } from './copy.ts'
import { columnRoles, type Layout } from './read/layout.ts'

type Props = {
  table: Table
  layout: Layout
  onChange: (layout: Layout) => void
  common: string
  onCommon: (common: string) => void
}

/** How the sheet was read, to correct. */
export function LayoutFields({ table, layout, onChange, common, onCommon }: Props) {
  return (
    <LayoutDetails table={table} missing={isIncomplete(layout) ? copy.missing : null} isOpen={false}>
      {columnRoles.map((role) => (
        <ColumnField
          key={role}
          label={copy.roles[role]}
          table={table}
          place={layout[role]}
          onChoose={(place) => onChange({ ...layout, [role]: place })}
        />
      ))}
      <DecimalField value={layout.decimal} onChange={(decimal) => onChange({ ...layout, decimal })} />
      <InputField
        label={copy.common}
        value={common}
        maxLength={200}
        onChange={({ target }) => onCommon(target.value)}
      />
    </LayoutDetails>
  )
}

export function isIncomplete({ customer, amount }: Layout): boolean {
  return customer === null || amount === null
}
