import { useState } from 'react'
import { EditField, faultProps } from '#staff/batches/edit-field.tsx'
import { displayedMinor } from '#amounts/amounts.ts'
import { Button } from '#ui/button.tsx'
import { FirstLines } from '#uploads/first-lines.tsx'
import { onboardingCopy as copy } from './copy.ts'
import {
  columnRoles,
  isFaulty,
  type ColumnRole,
  type Edit,
  type Fault,
  type NewCustomer,
} from './customers-from-rows.ts'
import './onboarding.css'

/** Number of lines that the list shows initially and adds with each click. */
const linesStep = 50

type Props = {
  title: string
  lines: readonly NewCustomer[]
  onEdit: (line: number, edit: Edit) => void
}

/** The lines of a file of customers. Staff can correct each field of a line, or exclude the line. */
export function EditList({ title, lines, onEdit }: Props) {
  return (
    <div>
      <h3 className="text-sm font-semibold">{title}</h3>
      <FirstLines lines={lines} step={linesStep} more={() => copy.more} className="mt-2">
        {(shown) => (
          <ul>
            {shown.map((customer) => (
              <EditLine
                key={customer.line}
                customer={customer}
                onEdit={(edit) => onEdit(customer.line, edit)}
              />
            ))}
          </ul>
        )}
      </FirstLines>
    </div>
  )
}

/**
 * A line of the file, shown in words. If the line is faulty, or if staff correct it, its input fields are also shown.
 */
function EditLine({ customer, onEdit }: { customer: NewCustomer; onEdit: (edit: Edit) => void }) {
  const { line, texts, faults, isOut } = customer
  // The input fields stay visible while staff correct the line, so that the focus is not lost.
  const [isOpen, setIsOpen] = useState(false)
  const isShown = isOpen || isFaulty(customer)
  const words = [texts.name, texts.email, `${texts.kind} ${texts.number}`.trim(), texts.phone]
  return (
    <li className="onboarding-line border-t border-line py-2" data-out={isOut ? '' : undefined}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="text-sm text-muted">{copy.atLine(line)}</span>
        <label className="flex min-h-11 items-center gap-3 text-sm">
          <input
            type="checkbox"
            aria-label={copy.leaveOutOf(line)}
            checked={isOut}
            onChange={({ target }) => onEdit({ isOut: target.checked })}
          />
          {copy.leaveOut}
        </label>
      </div>
      {isShown ? (
        <div className="onboarding-fields">
          {columnRoles.map((role) => (
            <EditField
              key={role}
              maxLength={254}
              label={copy.roles[role]}
              aria-label={copy.of(copy.roles[role], line)}
              value={texts[role]}
              onFocus={() => setIsOpen(true)}
              onCommit={(typed) => onEdit({ [role]: typed, isOut: false })}
              {...faultProps(wordsOf(role, faults[role]), isOut)}
            />
          ))}
        </div>
      ) : (
        <div className="onboarding-words flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
          <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
            {words.filter((word) => word !== '').join(' · ')}
          </span>
          <span translate="no" className="figures">
            {displayedMinor(customer.amountMinor)}
          </span>
          <Button variant="quiet" size="small" className="max-lg:min-h-11" onClick={() => setIsOpen(true)}>
            {copy.correct}
            <span className="sr-only">{copy.atLine(line)}</span>
          </Button>
        </div>
      )}
    </li>
  )
}

function wordsOf(role: ColumnRole, fault: Fault | undefined): string | undefined {
  return fault && copy.faults[role][fault]
}
