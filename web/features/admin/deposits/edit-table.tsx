import { useState, type ComponentProps } from 'react'
import {
  isFaulty,
  isLeftOut,
  type AmountFault,
  type CustomerFault,
  type Edit,
  type JudgedDeposit,
} from '#features/admin/deposits/read/deposits-from-rows.ts'
import { PersonField } from '#features/admin/person-field.tsx'
import { displayedMinor } from '#money/amounts.ts'
import { Button } from '#ui/button.tsx'
import { InputField } from '#ui/form/field.tsx'
import { batchCopy as copy } from './copy.ts'

/** Number of lines that the table shows initially and adds with each click. */
const linesStep = 100

type Props = {
  title: string
  lines: readonly JudgedDeposit[]
  /** Whether the server is still looking up corrected e-mail addresses. */
  isSearching: boolean
  onEdit: (line: number, edit: Edit) => void
}

/** The lines of a sheet. Staff can correct a line's e-mail address and amount, or exclude the line. */
export function EditTable({ title, lines, isSearching, onEdit }: Props) {
  const [shownMax, setShownMax] = useState(linesStep)
  return (
    <div>
      <table role="table" className="batch-lines batch-edits">
        <caption>{title}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {(['line', 'customer', 'amount', 'leaveOut'] as const).map((column) => (
              <th key={column} role="columnheader" scope="col" className={`batch-${column}`}>
                {copy.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {lines.slice(0, shownMax).map((deposit) => (
            <EditRow
              key={deposit.line}
              deposit={deposit}
              isSearching={isSearching && deposit.customerFault === 'unknown'}
              onEdit={(edit) => onEdit(deposit.line, edit)}
            />
          ))}
        </tbody>
      </table>
      {lines.length > shownMax && (
        <Button variant="quiet" className="mt-2" onClick={() => setShownMax(shownMax + linesStep)}>
          {copy.more}
        </Button>
      )}
    </div>
  )
}

type RowProps = { deposit: JudgedDeposit; isSearching: boolean; onEdit: (edit: Edit) => void }

function EditRow({ deposit, isSearching, onEdit }: RowProps) {
  const { line, customer, amount, amountMinor, description, person, doubt, isOut } = deposit
  const isSettled = isOut === true
  return (
    <tr role="row" data-out={isLeftOut(deposit) && (isSettled || !isFaulty(deposit)) ? '' : undefined}>
      <td role="cell" className="batch-line figures">
        <span className="batch-word">{`${copy.columns.line} `}</span>
        {line}
      </td>
      <td role="cell" className="batch-customer">
        <PersonField
          label={copy.customerOf(line)}
          isLabelHidden
          inputMode="email"
          value={customer}
          onChoose={({ email }) => onEdit({ customer: email, isOut: undefined })}
          onLeave={(typed) => onEdit({ customer: typed, isOut: undefined })}
          {...faultProps(isSearching ? null : deposit.customerFault, isSettled)}
        />
        <span className="block text-muted wrap-anywhere">
          {[person?.full_name?.trim() ?? '', description].filter((word) => word !== '').join(' · ')}
        </span>
        <span className="block text-muted">{isSearching ? copy.lookingUp : doubtInWords(doubt)}</span>
      </td>
      <td role="cell" className="batch-amount">
        <AmountCell
          label={copy.amountOf(line)}
          value={amountMinor === null ? amount : displayedMinor(amountMinor)}
          onCommit={(typed) => onEdit({ amount: typed, isOut: undefined })}
          {...faultProps(deposit.amountFault, isSettled)}
        />
      </td>
      <td role="cell" className="batch-leaveOut">
        <label>
          <input
            type="checkbox"
            aria-label={copy.leaveOutOf(line)}
            checked={isOut ?? doubt !== null}
            onChange={({ target }) => onEdit({ isOut: target.checked })}
          />
          <span className="batch-word">{copy.columns.leaveOut}</span>
        </label>
      </td>
    </tr>
  )
}

/** Returns a field's fault as its error, or as a hint if the user has excluded the line. */
function faultProps(
  fault: CustomerFault | AmountFault | null,
  isSettled: boolean,
): { error?: string; hint?: string } {
  if (fault === null) return {}
  return isSettled ? { hint: copy.faults[fault] } : { error: copy.faults[fault] }
}

function doubtInWords(doubt: JudgedDeposit['doubt']): string {
  if (doubt === null) return ''
  return doubt === 'blocked' ? copy.blockedWhy : copy.twinOf(doubt)
}

type CellProps = Omit<ComponentProps<typeof InputField>, 'value' | 'onChange'> & {
  value: string
  /** Called with the typed text when the user leaves the field or presses Enter. */
  onCommit: (typed: string) => void
}

function AmountCell({ value, onCommit, ...field }: CellProps) {
  const [typed, setTyped] = useState(value)
  const [kept, setKept] = useState(value)
  if (kept !== value) {
    setKept(value)
    setTyped(value)
  }
  const commit = () => {
    if (typed.trim() !== value) onCommit(typed.trim())
  }
  return (
    <InputField
      {...field}
      isLabelHidden
      inputMode="decimal"
      maxLength={28}
      autoComplete="off"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  )
}
