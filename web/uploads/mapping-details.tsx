import type { ReactNode } from 'react'
import { SelectField } from '#ui/form/field.tsx'
import { Cell, Row, Table } from '#ui/table.tsx'
import { uploadCopy as copy } from './copy.ts'
import type { DecimalMark } from './figures.ts'
import type { Columns, Table as FileTable } from './table.ts'

/** Number of example rows shown next to the fields. */
const sampleRows = 3

type Props<Role extends string> = {
  table: FileTable
  /** Labels of the required and optional columns, in display order. */
  roles: Readonly<Record<Role, string>>
  mapping: Columns<NoInfer<Role>>
  onChoose: (role: Role, place: number | null) => void
  /** Message about a choice that the user must make before the file can be read. */
  missing: string | null
  isOpen?: boolean
  /** Additional fields, shown next to the fields for the columns. */
  children: ReactNode
}

/** Fields with which the user can correct the column mapping. */
export function MappingDetails<Role extends string>(props: Props<Role>) {
  const { table, roles, mapping, onChoose, missing, isOpen = false, children } = props
  return (
    <details className="file-details" open={isOpen || missing !== null || undefined}>
      <summary>
        {copy.mappingTitle}
        <span className="font-normal text-muted">{` · ${table.format}`}</span>
      </summary>
      {missing !== null && (
        <p role="alert" className="text-sm font-medium text-danger">
          {missing}
        </p>
      )}
      <div className="file-fields">
        {(Object.keys(roles) as Role[]).map((role) => (
          <SelectField
            key={role}
            label={roles[role]}
            value={mapping[role] ?? ''}
            onChange={({ target: { value } }) => onChoose(role, value === '' ? null : Number(value))}
          >
            <option value="">{copy.none}</option>
            {table.columns.map((name, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- Two columns may have the same name.
              <option key={index} value={index}>
                {name}
              </option>
            ))}
          </SelectField>
        ))}
        {children}
      </div>
      <Sample table={table} />
    </details>
  )
}

/** Field in which the user chooses the decimal separator. */
export function DecimalField({
  value,
  onChange,
}: {
  value: DecimalMark
  onChange: (decimal: DecimalMark) => void
}) {
  return (
    <ChoiceField<DecimalMark>
      label={copy.decimal}
      options={copy.decimals}
      value={value}
      onChange={onChange}
    />
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  hint?: string | undefined
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

export function ChoiceField<Value extends string>({
  options,
  value,
  onChange,
  ...field
}: ChoiceProps<Value>) {
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

function Sample({ table: { columns, rows } }: { table: FileTable }) {
  return (
    <div className="file-sample" tabIndex={0} role="region" aria-label={copy.sample}>
      <Table
        className="text-sm"
        caption={<caption className="sr-only">{copy.sample}</caption>}
        // Two columns may have the same name.
        columns={[
          { name: 'line', header: copy.line },
          ...columns.map((header, place) => ({ name: String(place), header })),
        ]}
      >
        {rows.slice(0, sampleRows).map(({ line, fields }) => (
          <Row key={line}>
            <Cell>{line}</Cell>
            {columns.map((_, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- A row has one field for each column.
              <Cell key={place}>{fields[place]}</Cell>
            ))}
          </Row>
        ))}
      </Table>
    </div>
  )
}
