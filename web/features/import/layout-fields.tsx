import { ChoiceField, ColumnField, DecimalField, LayoutDetails } from '#ledger/table-file/layout-details.tsx'
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
    <LayoutDetails table={table} missing={isIncomplete(layout) ? copy.missing : null} isOpen={isDayOrderOpen}>
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

export function isIncomplete({ date, amount, debit }: Layout): boolean {
  return date === null || (amount === null && debit === null)
}

/** One column for all amounts, or one for each direction. */
function othersOf(role: ColumnRole, place: number | null): Partial<Layout> {
  if (place === null) return {}
  if (role === 'amount') return { debit: null, credit: null }
  return role === 'debit' || role === 'credit' ? { amount: null } : {}
}
