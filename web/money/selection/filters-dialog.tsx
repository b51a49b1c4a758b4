import { selectionCopy } from './copy.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { addMonths, formatMonthAndYear, formatMonthShort, monthOf } from '#ui/format/months.ts'
import { readAmount, typedAmount } from '#amounts/amounts.ts'
import { Button } from '#ui/button.tsx'
import { InputField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { daysOf, daysOfMonth, isSameDays, periodNameOf, type PeriodName } from './periods.ts'
import { OrderField, orderOf } from './order-field.tsx'
import { everything, type Selection } from './selection.ts'

type Props = {
  selection: Selection
  categories: readonly string[]
  hasOrder: boolean
  onChange: (selection: Selection) => void
  onClose: () => void
}

type FilterField = 'from' | 'to' | 'min' | 'max'

const { filters: copy, periods } = selectionCopy

/** Number of months offered: the current month and the months before it, newest first. */
const monthsOffered = 12

/**
 * Dialog for filtering by days, amounts and several categories. A month or a named period can be chosen with one click.
 */
export function FiltersDialog({ selection, categories, hasOrder, onChange, onClose }: Props) {
  const choose = (next: Selection) => {
    onClose()
    onChange(next)
  }
  const { from, to, minMinor, maxMinor } = selection
  const today = dayInBogota()
  return (
    <FormDialog<Selection, FilterField>
      title={copy.title}
      submitLabel={copy.apply}
      className="history-filters"
      onClose={onClose}
      read={(fields) => readFilters(fields, selection)}
      send={async (next) => onChange(next)}
      success={() => null}
      failure={() => ({ title: copy.title, description: '' })}
      footer={
        <Button
          variant="muted"
          className="col-span-full"
          onClick={() => choose({ ...everything, search: selection.search, order: selection.order })}
        >
          {selectionCopy.clearFilters}
        </Button>
      }
    >
      {(errors) => (
        <>
          <Periods selection={selection} today={today} onChoose={choose} />
          <InputField
            label={copy.from}
            name="from"
            type="date"
            max={today}
            defaultValue={from}
            error={errors.from}
          />
          <InputField label={copy.to} name="to" type="date" defaultValue={to} error={errors.to} />
          <AmountBound label={copy.min} name="min" minor={minMinor} error={errors.min} />
          <AmountBound label={copy.max} name="max" minor={maxMinor} error={errors.max} />
          {hasOrder && <OrderField className="col-span-full" name="order" defaultValue={selection.order} />}
          <fieldset className="col-span-full">
            <legend className="mb-1 text-sm font-medium">{copy.categories}</legend>
            <div className="history-filters grid gap-x-4">
              {[...new Set([...categories, ...selection.categories])].map((name) => (
                <Check
                  key={name}
                  name="category"
                  value={name}
                  isChosen={selection.categories.includes(name)}
                />
              ))}
              <Check name="deposits" value={selectionCopy.deposits} isChosen={selection.withDeposits} />
            </div>
          </fieldset>
        </>
      )}
    </FormDialog>
  )
}

type PeriodsProps = Pick<Props, 'selection'> & { today: string; onChoose: (next: Selection) => void }

/** Buttons that choose a month or a named period. */
function Periods({ selection, today, onChoose }: PeriodsProps) {
  return (
    <>
      <div role="group" aria-label={copy.months} className="history-months col-span-full">
        {Array.from({ length: monthsOffered }, (_, back) => addMonths(monthOf(today), -back)).map(
          (month, back) => (
            <Button
              key={month}
              data-first={back === 0 || undefined}
              variant={isSameDays(daysOfMonth(month), selection) ? 'primary' : 'outline'}
              aria-pressed={isSameDays(daysOfMonth(month), selection)}
              aria-label={formatMonthAndYear(month)}
              onClick={() => onChoose({ ...selection, ...daysOfMonth(month) })}
            >
              {formatMonthShort(month)}
              {monthOf(today).slice(0, 4) !== month.slice(0, 4) && ` ${month.slice(0, 4)}`}
            </Button>
          ),
        )}
      </div>
      <div role="group" aria-label={copy.period} className="history-periods col-span-full">
        {(Object.keys(periods) as PeriodName[]).map((name) => (
          <Button
            key={name}
            variant={periodNameOf(selection) === name ? 'primary' : 'outline'}
            aria-pressed={periodNameOf(selection) === name}
            onClick={() => onChoose({ ...selection, ...daysOf(name) })}
          >
            {periods[name]}
          </Button>
        ))}
      </div>
    </>
  )
}

type BoundProps = { label: string; name: FilterField; minor: number | null; error: string | undefined }

/** Optional field for the smallest or largest amount, which is parsed like any other amount. */
function AmountBound({ minor, ...field }: BoundProps) {
  const typed = minor === null ? '' : typedAmount(minor)
  return <InputField {...field} inputMode="decimal" autoComplete="off" defaultValue={typed} />
}

function Check({ name, value, isChosen }: { name: string; value: string; isChosen: boolean }) {
  return (
    <label className="flex min-h-11 min-w-0 items-center gap-3">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={isChosen}
        className="size-5 shrink-0"
      />
      <span className="min-w-0 wrap-anywhere">{value}</span>
    </label>
  )
}

export function readFilters(fields: FormData, selection: Selection): Reading<Selection, FilterField> {
  const [from, to] = [textOf(fields, 'from'), textOf(fields, 'to')]
  const [min, max] = [amountIn(fields, 'min'), amountIn(fields, 'max')]
  const areDaysTurned = from !== '' && to !== '' && from > to
  const areAmountsTurned = min.minor !== null && max.minor !== null && min.minor > max.minor
  const errors = {
    ...(min.error !== undefined && { min: min.error }),
    ...(max.error !== undefined && { max: max.error }),
    ...(areDaysTurned && { to: copy.daysTurned }),
    ...(areAmountsTurned && { max: copy.amountsTurned }),
  }
  return readingOf(errors, {
    ...selection,
    from,
    to,
    minMinor: min.minor,
    maxMinor: max.minor,
    categories: fields.getAll('category').filter((name) => typeof name === 'string'),
    withDeposits: fields.has('deposits'),
    // Without the field, the order stays.
    order: fields.has('order') ? orderOf(textOf(fields, 'order')) : selection.order,
  })
}

function amountIn(fields: FormData, name: FilterField): { minor: number | null; error?: string } {
  const typed = textOf(fields, name)
  if (typed === '') return { minor: null }
  const amount = readAmount(typed)
  return amount.ok ? { minor: amount.amountMinor } : { minor: null, error: amount.error }
}
