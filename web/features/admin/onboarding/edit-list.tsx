import { useState, type ComponentProps } from 'react'
import { displayedMinor } from '#money/amounts.ts'
import { Button } from '#ui/button.tsx'
import { InputField } from '#ui/form/field.tsx'
import { onboardingCopy as copy } from './copy.ts'
import { columnRoles, isFaulty, type ColumnRole, type Edit, type NewCustomer } from './customers-from-rows.ts'
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
  const [shownMax, setShownMax] = useState(linesStep)
  return (
    <div>
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul>
        {lines.slice(0, shownMax).map((customer) => (
          <EditLine key={customer.line} customer={customer} onEdit={(edit) => onEdit(customer.line, edit)} />
        ))}
      </ul>
      {lines.length > shownMax && (
        <Button variant="quiet" className="mt-2" onClick={() => setShownMax(shownMax + linesStep)}>
          {copy.more}
        </Button>
      )}
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
    <li className="onboarding-line" data-out={isOut ? '' : undefined}>
      <div className="onboarding-head">
        <span className="text-sm text-muted">{copy.atLine(line)}</span>
        <label className="onboarding-out">
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
              label={copy.roles[role]}
              aria-label={copy.of(copy.roles[role], line)}
              value={texts[role]}
              onFocus={() => setIsOpen(true)}
              onCommit={(typed) => onEdit({ [role]: typed, isOut: false })}
              {...faultProps(role, faults[role], isOut)}
            />
          ))}
        </div>
      ) : (
        <div className="onboarding-words">
          <span className="min-w-0 wrap-anywhere">{words.filter((word) => word !== '').join(' · ')}</span>
          <span className="figures">{displayedMinor(customer.amountMinor)}</span>
          <Button variant="quiet" size="small" className="max-lg:min-h-11" onClick={() => setIsOpen(true)}>
            {copy.correct}
            <span className="sr-only">{copy.atLine(line)}</span>
          </Button>
        </div>
      )}
    </li>
  )
}

/** Returns a field's fault as its error, or as a hint if the user has excluded the line. */
function faultProps(role: ColumnRole, fault: NewCustomer['faults'][ColumnRole], isOut: boolean) {
  if (fault === undefined) return {}
  return isOut ? { hint: copy.faultOf(role, fault) } : { error: copy.faultOf(role, fault) }
}

type FieldProps = Omit<ComponentProps<typeof InputField>, 'value' | 'onChange'> & {
  value: string
  /** Called with the typed text when the user leaves the field or presses Enter. */
  onCommit: (typed: string) => void
}

function EditField({ value, onCommit, ...field }: FieldProps) {
  const [typed, setTyped] = useState(value)
  const commit = () => {
    if (typed.trim() !== value) onCommit(typed.trim())
  }
  return (
    <InputField
      {...field}
      maxLength={254}
      autoComplete="off"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  )
}
