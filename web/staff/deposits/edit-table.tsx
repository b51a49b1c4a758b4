import { batchCopy } from '#staff/batches/copy.ts'
import { EditField, faultProps } from '#staff/batches/edit-field.tsx'
import { PersonField } from '#staff/forms/person-field.tsx'
import { displayedMinor } from '#amounts/amounts.ts'
import { FirstLines } from '#uploads/first-lines.tsx'
import { Cell, Row, Table } from '#ui/table.tsx'
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
          <Table
            className="batch-lines batch-edits"
            caption={<caption>{title}</caption>}
            columns={(['line', 'customer', 'amount', 'leaveOut'] as const).map((column) => ({
              name: columns[column],
              className: `batch-${column}`,
            }))}
          >
            {shown.map((deposit) => (
              <EditRow
                key={deposit.line}
                deposit={deposit}
                isSearching={isSearching && deposit.customerFault === 'unknown'}
                onEdit={(edit) => onEdit(deposit.line, edit)}
              />
            ))}
          </Table>
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
    <Row data-out={isLeftOut(deposit) && (isSettled || !isFaulty(deposit)) ? '' : undefined}>
      <Cell className="batch-line figures">
        <span className="batch-word">{`${columns.line} `}</span>
        {line}
      </Cell>
      <Cell className="batch-customer">
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
      </Cell>
      <Cell className="batch-amount">
        <EditField
          label={copy.amountOf(line)}
          isLabelHidden
          inputMode="decimal"
          maxLength={28}
          value={amountMinor === null ? amount : displayedMinor(amountMinor)}
          onCommit={(typed) => onEdit({ amount: typed, isOut: undefined })}
          {...faultProps(wordsOf(deposit.amountFault), isSettled)}
        />
      </Cell>
      <Cell className="batch-leaveOut">
        <label>
          <input
            type="checkbox"
            aria-label={copy.leaveOutOf(line)}
            checked={isOut ?? doubt !== null}
            onChange={({ target }) => onEdit({ isOut: target.checked })}
          />
          <span className="batch-word">{columns.leaveOut}</span>
        </label>
      </Cell>
    </Row>
  )
}

function wordsOf(fault: CustomerFault | AmountFault | null): string | undefined {
  return fault === null ? undefined : copy.faults[fault]
}

function doubtInWords(doubt: JudgedDeposit['doubt']): string {
  if (doubt === null) return ''
  return doubt === 'blocked' ? copy.blockedWhy : copy.twinOf(doubt)
}
