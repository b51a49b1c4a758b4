import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState, type ComponentProps } from 'react'
import { userListQuery } from '#features/admin/users/users.ts'
import { isLeftOut, type Edit, type JudgedDeposit } from '#features/admin/deposits/read/deposits-from-rows.ts'
import { displayedMinor } from '#money/amounts.ts'
import { Button } from '#ui/button.tsx'
import { batchCopy as copy } from './copy.ts'

/** Number of lines that the table shows initially and adds with each click. */
const linesStep = 100
/** Maximum number of customers that a field suggests. */
const suggestedMax = 8

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
              isSearching={isSearching && deposit.fault === 'unknown'}
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
  const { line, customer, amount, amountMinor, description, person, fault, doubt, isOut } = deposit
  const reasonId = useId()
  const isCustomerFault = fault === 'customer' || fault === 'unknown'
  const reason = isSearching
    ? copy.lookingUp
    : fault !== null
      ? copy.faults[fault]
      : doubt === 'blocked'
        ? copy.blockedWhy
        : doubt === null
          ? ''
          : copy.twinOf(doubt)
  const isFaulty = fault !== null && isOut !== true && !isSearching
  const described = (isInvalid: boolean) =>
    isInvalid ? { 'aria-invalid': true, 'aria-describedby': reasonId } : {}
  return (
    <tr role="row" data-out={isLeftOut(deposit) && !isFaulty ? '' : undefined}>
      <td role="cell" className="batch-line figures">
        <span className="batch-word">{`${copy.columns.line} `}</span>
        {line}
      </td>
      <td role="cell" className="batch-customer">
        <CustomerField
          label={copy.customerOf(line)}
          value={customer}
          onCommit={(typed) => onEdit({ customer: typed, isOut: undefined })}
          {...described(isCustomerFault)}
        />
        <span className="block text-muted wrap-anywhere">
          {[person?.full_name?.trim() ?? '', description].filter((word) => word !== '').join(' · ')}
        </span>
        <span id={reasonId} className={isFaulty ? 'block font-medium text-danger' : 'block text-muted'}>
          {reason}
        </span>
      </td>
      <td role="cell" className="batch-amount">
        <Cell
          label={copy.amountOf(line)}
          value={amountMinor === null ? amount : displayedMinor(amountMinor)}
          inputMode="decimal"
          maxLength={28}
          onCommit={(typed) => onEdit({ amount: typed, isOut: undefined })}
          {...described(fault !== null && !isCustomerFault)}
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

type CellProps = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  label: string
  value: string
  /** Called with the typed text when the user leaves the field or presses Enter. */
  onCommit: (typed: string) => void
  onType?: (typed: string) => void
}

function Cell({ label, value, onCommit, onType, ...props }: CellProps) {
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
    <input
      {...props}
      className="batch-field"
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onType?.(target.value)
      }}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  )
}

/** Field for an e-mail address, which suggests customers while the user types. */
function CustomerField({ onCommit, ...props }: CellProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const search = typed.trim()
  const selection = { search, state: null, sort: 'name', isDescending: false } as const
  const { data } = useInfiniteQuery({ ...userListQuery(selection), enabled: search !== '' })
  const suggested = search === '' ? [] : (data?.pages[0]?.customers ?? []).slice(0, suggestedMax)
  return (
    <>
      <Cell
        {...props}
        list={listId}
        inputMode="email"
        onCommit={onCommit}
        onType={(text) => {
          setTyped(text)
          // Choosing a suggestion commits the text without another key press.
          if (suggested.some(({ email }) => email === text)) onCommit(text)
        }}
      />
      <datalist id={listId}>
        {suggested.map(({ id, email, full_name }) => (
          <option key={id} value={email}>
            {full_name}
          </option>
        ))}
      </datalist>
    </>
  )
}
