import { configuration } from '#backend/configuration.ts'
import { ChoiceField, DecimalField, MappingDetails } from '#upload/mapping-details.tsx'
import type { Table } from '#upload/table.ts'
import { importCopy } from './copy.ts'
import type { DayOrder } from '#features/transactions/import/read/days.ts'
import { withColumn, type ColumnMapping } from '#features/transactions/import/read/column-mapping.ts'

type Props = {
  table: Table
  mapping: ColumnMapping
  /** Whether the dates would also be valid with day and month swapped. */
  isDayOrderOpen: boolean
  onChange: (mapping: ColumnMapping) => void
}

const copy = importCopy.mapping

/** Fields with which the user corrects the column mapping, the date format and the amount format. */
export function MappingFields({ table, mapping, isDayOrderOpen, onChange }: Props) {
  const bankCurrency = configuration().displayCurrency
  return (
    <MappingDetails
      table={table}
      roles={copy.roles}
      mapping={mapping}
      onChoose={(role, place) => onChange(withColumn(table, mapping, { role, place, bankCurrency }))}
      missing={isIncomplete(mapping) ? copy.missing : null}
      isOpen={isDayOrderOpen}
    >
      <ChoiceField<DayOrder>
        label={copy.dayOrder}
        hint={isDayOrderOpen ? copy.dayOrderOpen : undefined}
        options={copy.dayOrders}
        value={mapping.dayOrder}
        onChange={(dayOrder) => onChange({ ...mapping, dayOrder })}
      />
      <DecimalField
        value={mapping.decimal}
        onChange={(decimal) => onChange({ ...mapping, decimal, isDecimalAnswered: true })}
      />
      {mapping.amount !== null && (
        <ChoiceField<ColumnMapping['expenseSign']>
          label={copy.sign}
          options={copy.signs}
          value={mapping.expenseSign}
          onChange={(expenseSign) => onChange({ ...mapping, expenseSign })}
        />
      )}
    </MappingDetails>
  )
}

export function isIncomplete({ date, amount, debit }: ColumnMapping): boolean {
  return date === null || (amount === null && debit === null)
}
