import { batchCopy } from '#staff/batches/copy.ts'
import { EditField, faultProps } from '#staff/batches/edit-field.tsx'
import { PersonField } from '#staff/forms/person-field.tsx'
import { displayedMinor } from '#amounts/amounts.ts'
import { FirstLines } from '#uploads/first-lines.tsx'
import { depositsCopy as copy } from './copy.ts'
import {
  isFaulty,
  isLeftOut,
  type AmountFault,
  type CustomerFault,
  type Edit,
  type JudgedDeposit,
} from './deposits-from-rows.ts'

const { columns } = batchCopy

/** Number of lines that the table shows initially and adds with each click. */
const linesStep = 100

type Props = {
  title: string
  lines: readonly JudgedDeposit[]
  /** Whether the server is still looking up corrected e-mail addresses. */
  isSearching: boolean
  onEdit: (line: number, edit: Edit) => void
}

/**
 * The lines of the uploaded or pasted table. Staff can correct a line's e-mail address and amount, or exclude the line.
 */
export function EditTable({ title, lines, isSearching, onEdit }: Props) {
  return (
    <div>
      <FirstLines lines={lines} step={linesStep} more={() => copy.more} className="mt-2">
        {(shown) => (
          <table role="table" className="batch-lines batch-edits">
            <caption>{title}</caption>
            <thead role="rowgroup">
              <tr role="row">
                {(['line', 'customer', 'amount', 'leaveOut'] as const).map((column) => (
                  <th key={column} role="columnheader" scope="col" className={`batch-${column}`}>
                    {columns[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {shown.map((deposit) => (
                <EditRow
                  key={deposit.line}
                  deposit={deposit}
                  isSearching={isSearching && deposit.customerFault === 'unknown'}
                  onEdit={(edit) => onEdit(deposit.line, edit)}
                />
              ))}
            </tbody>
          </table>
        )}
      </FirstLines>
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
        <span className="batch-word">{`${columns.line} `}</span>
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
          {...faultProps(isSearching ? undefined : wordsOf(deposit.customerFault), isSettled)}
        />
        <span className="block text-muted wrap-anywhere">
          {[person?.full_name?.trim() ?? '', description].filter((word) => word !== '').join(' · ')}
        </span>
        <span className="block text-muted">{isSearching ? copy.lookingUp : doubtInWords(doubt)}</span>
      </td>
      <td role="cell" className="batch-amount">
        <EditField
          label={copy.amountOf(line)}
          isLabelHidden
          inputMode="decimal"
          maxLength={28}
          value={amountMinor === null ? amount : displayedMinor(amountMinor)}
          onCommit={(typed) => onEdit({ amount: typed, isOut: undefined })}
          {...faultProps(wordsOf(deposit.amountFault), isSettled)}
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
          <span className="batch-word">{columns.leaveOut}</span>
        </label>
      </td>
    </tr>
  )
}

function wordsOf(fault: CustomerFault | AmountFault | null): string | undefined {
  return fault === null ? undefined : copy.faults[fault]
}

function doubtInWords(doubt: JudgedDeposit['doubt']): string {
  if (doubt === null) return ''
  return doubt === 'blocked' ? copy.blockedWhy : copy.twinOf(doubt)
}
