import { SelectField } from '#ui/form/field.tsx'
import { importCopy } from './copy.ts'
import type { DayOrder } from './read/days.ts'
import type { DecimalMark } from './read/figures.ts'
import { columnRoles, type ColumnRole, type Layout } from './read/layout.ts'
import type { Table } from './read/table.ts'

type Props = {
  table: Table
  layout: Layout
  /** Whether the days exist in the other order too. */
  isDayOrderOpen: boolean
  onChange: (layout: Layout) => void
}

/** Records that are shown to correct by. */
const sampleRows = 3

const copy = importCopy.layout

/** How the file was read, to correct: which column is what, and how days and amounts are written. */
export function LayoutFields({ table, layout, isDayOrderOpen, onChange }: Props) {
  const isMissing = isIncomplete(layout)
  return (
    <details className="import-details" open={isMissing || isDayOrderOpen || undefined}>
      <summary>
        {copy.title}
        <span className="font-normal text-muted">{` · ${table.format}`}</span>
      </summary>
      {isMissing && (
        <p role="alert" className="text-sm font-medium text-danger">
          {copy.missing}
        </p>
      )}
      <div className="import-fields">
        {columnRoles.map((role) => (
          <ColumnField key={role} role={role} table={table} layout={layout} onChange={onChange} />
        ))}
        <ChoiceField<DayOrder>
          label={copy.dayOrder}
          hint={isDayOrderOpen ? copy.dayOrderOpen : undefined}
          options={copy.dayOrders}
          value={layout.dayOrder}
          onChange={(dayOrder) => onChange({ ...layout, dayOrder })}
        />
        <ChoiceField<DecimalMark>
          label={copy.decimal}
          options={copy.decimals}
          value={layout.decimal}
          onChange={(decimal) => onChange({ ...layout, decimal })}
        />
        {layout.amount !== null && (
          <ChoiceField<Layout['expenseSign']>
            label={copy.sign}
            options={copy.signs}
            value={layout.expenseSign}
            onChange={(expenseSign) => onChange({ ...layout, expenseSign })}
          />
        )}
      </div>
      <Sample table={table} />
    </details>
  )
}

export function isIncomplete({ date, amount, debit }: Layout): boolean {
  return date === null || (amount === null && debit === null)
}

function ColumnField({
  role,
  table,
  layout,
  onChange,
}: Omit<Props, 'isDayOrderOpen'> & { role: ColumnRole }) {
  const choose = (value: string) => {
    const place = value === '' ? null : Number(value)
    // One column for all amounts, or one for each direction.
    const others =
      place === null
        ? {}
        : role === 'amount'
          ? { debit: null, credit: null }
          : role === 'debit' || role === 'credit'
            ? { amount: null }
            : {}
    onChange({ ...layout, ...others, [role]: place })
  }
  return (
    <SelectField
      label={copy.roles[role]}
      value={layout[role] ?? ''}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">{copy.none}</option>
      {table.columns.map((name, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- Two columns may have one name.
        <option key={place} value={place}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  hint?: string | undefined
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

function ChoiceField<Value extends string>({ options, value, onChange, ...field }: ChoiceProps<Value>) {
  return (
    <SelectField {...field} value={value} onChange={(event) => onChange(event.target.value as Value)}>
      {Object.entries<string>(options).map(([each, label]) => (
        <option key={each} value={each}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

function Sample({ table: { columns, rows } }: { table: Table }) {
  return (
    <div className="import-sample" tabIndex={0} role="region" aria-label={copy.sample}>
      <table className="text-sm">
        <caption className="sr-only">{copy.sample}</caption>
        <thead>
          <tr>
            <th scope="col">{copy.line}</th>
            {columns.map((name, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- Two columns may have one name.
              <th key={place} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, sampleRows).map(({ line, fields }) => (
            <tr key={line}>
              <td>{line}</td>
              {columns.map((_, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- A record has a field for each place.
                <td key={place}>{fields[place]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
