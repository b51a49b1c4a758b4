import { ChoiceField, DecimalField, MappingDetails } from '#upload/mapping-details.tsx'
import { Checkbox } from '#upload/named-lines.tsx'
import { textsOf, type Table } from '#upload/table.ts'
import { importCopy } from './copy.ts'
import type { DayOrder } from '#features/transactions/import/read/days.ts'
import type { ColumnMapping, ColumnRole } from '#features/transactions/import/read/column-mapping.ts'

type Props = {
  table: Table
  mapping: ColumnMapping
  /** Whether the dates are also valid with day and month swapped. */
  isDayOrderOpen: boolean
  onChange: (mapping: ColumnMapping) => void
}

const copy = importCopy.mapping

/** Fields that correct the column mapping and the formats of dates and amounts. */
export function MappingFields({ table, mapping, isDayOrderOpen, onChange }: Props) {
  return (
    <MappingDetails
      table={table}
      roles={copy.roles}
      mapping={mapping}
      onChoose={(role, place) => onChange({ ...mapping, ...othersOf(role, place), [role]: place })}
      missing={isIncomplete(mapping) ? copy.missing : null}
      isOpen={isDayOrderOpen || mapping.amountSource !== 'heading'}
      question={<AmountQuestion table={table} mapping={mapping} onChange={onChange} />}
    >
      <ChoiceField<DayOrder>
        label={copy.dayOrder}
        hint={isDayOrderOpen ? copy.dayOrderOpen : undefined}
        options={copy.dayOrders}
        value={mapping.dayOrder}
        onChange={(dayOrder) => onChange({ ...mapping, dayOrder })}
      />
      <DecimalField value={mapping.decimal} onChange={(decimal) => onChange({ ...mapping, decimal })} />
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

/**
 * Asks about a guessed column of amounts, in a file without a heading for it. The user confirms the guess or chooses
 * another column.
 */
function AmountQuestion({ table, mapping, onChange }: Omit<Props, 'isDayOrderOpen'>) {
  const { amount, amountSource } = mapping
  if (amount === null || amountSource === 'heading') return null
  const figures = textsOf(table.rows, amount).slice(0, questionFigures)
  return (
    <div className="file-question">
      <p className={amountSource === 'guess' ? 'text-sm font-medium text-danger' : 'text-sm'}>
        {copy.amountOpen}
      </p>
      <Checkbox
        label={copy.amountIs(table.columns[amount] ?? '', figures)}
        isChosen={amountSource === 'confirmed'}
        onChoose={(isChosen) => onChange({ ...mapping, amountSource: isChosen ? 'confirmed' : 'guess' })}
      />
    </div>
  )
}

/** Number of example figures in the question. */
const questionFigures = 3

/** Returns whether the column of amounts is a guess that the user has not confirmed. */
export function isAmountOpen({ amount, amountSource }: ColumnMapping): boolean {
  return amount !== null && amountSource === 'guess'
}

export function isIncomplete({ date, amount, debit }: ColumnMapping): boolean {
  return date === null || (amount === null && debit === null)
}

/**
 * Returns the other changes that a choice requires: a file has either one column for all amounts, or one column for each
 * direction. The choice also confirms a guess.
 */
function othersOf(role: ColumnRole, place: number | null): Partial<ColumnMapping> {
  if (place === null) return {}
  if (role === 'amount') return { debit: null, credit: null, amountSource: 'confirmed' }
  return role === 'debit' || role === 'credit' ? { amount: null, amountSource: 'confirmed' } : {}
}
