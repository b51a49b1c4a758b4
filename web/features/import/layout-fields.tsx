import { ChoiceField, ColumnField, DecimalField, LayoutDetails } from '#ledger/table-file/layout-details.tsx'
import { textsOf } from '#ledger/table-file/columns.ts'
import type { Table } from '#ledger/table-file/table.ts'
import { importCopy } from './copy.ts'
import type { DayOrder } from './read/days.ts'
import { columnRoles, type ColumnRole, type Layout } from './read/layout.ts'

type Props = {
  table: Table
  layout: Layout
  /** Whether the days exist in the other order too. */
  isDayOrderOpen: boolean
  onChange: (layout: Layout) => void
}

const copy = importCopy.layout

/** How the file was read, to correct: which column is what, and how days and amounts are written. */
export function LayoutFields({ table, layout, isDayOrderOpen, onChange }: Props) {
  return (
    <LayoutDetails
      table={table}
      missing={isIncomplete(layout) ? copy.missing : null}
      isOpen={isDayOrderOpen || layout.amountSource !== 'heading'}
    >
      <AmountQuestion table={table} layout={layout} onChange={onChange} />
      {columnRoles.map((role) => (
        <ColumnField
          key={role}
          label={copy.roles[role]}
          table={table}
          place={layout[role]}
          onChoose={(place) => onChange({ ...layout, ...othersOf(role, place), [role]: place })}
        />
      ))}
      <ChoiceField<DayOrder>
        label={copy.dayOrder}
        hint={isDayOrderOpen ? copy.dayOrderOpen : undefined}
        options={copy.dayOrders}
        value={layout.dayOrder}
        onChange={(dayOrder) => onChange({ ...layout, dayOrder })}
      />
      <DecimalField value={layout.decimal} onChange={(decimal) => onChange({ ...layout, decimal })} />
      {layout.amount !== null && (
        <ChoiceField<Layout['expenseSign']>
          label={copy.sign}
          options={copy.signs}
          value={layout.expenseSign}
          onChange={(expenseSign) => onChange({ ...layout, expenseSign })}
        />
      )}
    </LayoutDetails>
  )
}

/** Which figures are the amounts, where no heading says so: to confirm, or to answer by another column. */
function AmountQuestion({ table, layout, onChange }: Omit<Props, 'isDayOrderOpen'>) {
  const { amount, amountSource } = layout
  if (amount === null || amountSource === 'heading') return null
  const figures = textsOf(table.rows, amount).slice(0, questionFigures)
  return (
    <div className="file-question">
      <p className={amountSource === 'guess' ? 'text-sm font-medium text-danger' : 'text-sm'}>
        {copy.amountOpen}
      </p>
      <label className="file-accept">
        <input
          type="checkbox"
          checked={amountSource === 'confirmed'}
          onChange={({ target }) =>
            onChange({ ...layout, amountSource: target.checked ? 'confirmed' : 'guess' })
          }
        />
        {copy.amountIs(table.columns[amount] ?? '', figures)}
      </label>
    </div>
  )
}

/** Figures of the column that the question shows. */
const questionFigures = 3

/** Whether the column of the amounts is a guess that waits for a confirmation. */
export function isAmountOpen({ amount, amountSource }: Layout): boolean {
  return amount !== null && amountSource === 'guess'
}

export function isIncomplete({ date, amount, debit }: Layout): boolean {
  return date === null || (amount === null && debit === null)
}

/** One column for all amounts, or one for each direction. A choice answers the question which it is. */
function othersOf(role: ColumnRole, place: number | null): Partial<Layout> {
  if (place === null) return {}
  if (role === 'amount') return { debit: null, credit: null, amountSource: 'confirmed' }
  return role === 'debit' || role === 'credit' ? { amount: null, amountSource: 'confirmed' } : {}
}
