import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { minorFromDecimal, numberFromMinor } from '@finanzas/contract/money.ts'
import { refusalMessage } from '#api/refusals.ts'
import { newIdempotencyKey } from '#api/repeatable.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { AmountField } from '#amounts/amount-field.tsx'
import { descriptionErrors, readAmount } from '#amounts/amounts.ts'
import { moneyCopy } from '#amounts/copy.ts'
import { CategoryField } from '#categories/category-field.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { lineOf, readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { recurringCopy as copy } from './copy.ts'
import { saveRecurring, type Rhythm, type Wanted } from './recurring.ts'
import { dayInWords, isLastOfMonth, lastDayOfMonth, latestDay, rhythms } from './rhythm.ts'
import { StatusActions } from './status-actions.tsx'

type FieldName = 'description' | 'amount' | 'date'

type Props = {
  userId: string
  /** The recurring expense to change, or the initial values of a new recurring expense. */
  plan: Partial<Wanted>
  onClose: () => void
}

/** The values of the fields that depend on each other. */
type When = { rhythm: Rhythm; nextOn: string; isAutomatic: boolean }

const saving = {
  name: 'recurring expense save',
  title: copy.failedTitle,
  refusals: { otherwise: copy.failedText },
}

/** Dialog that creates or changes a recurring expense. */
export function RecurringDialog({ userId, plan, onClose }: Props) {
  const client = useQueryClient()
  const [id] = useState(() => plan.id ?? newIdempotencyKey())
  const [today] = useState(() => dayInBogota())
  const [description, setDescription] = useState(plan.description ?? '')
  const [when, setWhen] = useState<When>({
    rhythm: plan.rhythm ?? 'monthly',
    nextOn: plan.next_due_on ?? today,
    isAutomatic: plan.is_automatic ?? false,
  })
  const isNew = plan.id === undefined
  return (
    <FormDialog<Wanted, FieldName, Awaited<ReturnType<typeof saveRecurring>>>
      title={isNew ? copy.addTitle : copy.editTitle}
      submitLabel={copy.save}
      onClose={onClose}
      className="grid-cols-1"
      read={(fields) => readWanted(fields, { ...plan, id }, when, today)}
      send={(wanted) => saveRecurring(client, userId, wanted)}
      success={(wanted, saved) => ({
        title: copy.savedTitle,
        // If an automatic payment is due today, the database has already recorded it, and the saved row contains the
        // following due day.
        description: savedInWords(saved, when.isAutomatic ? saved : wanted),
      })}
      failure={(error) => refusalMessage(error, saving)}
      footer={!isNew && <StatusActions userId={userId} recurring={plan as Wanted} onDone={onClose} />}
    >
      {(errors) => (
        <>
          <InputField
            label={moneyCopy.description}
            name="description"
            autoComplete="off"
            defaultValue={plan.description ?? ''}
            onInput={(event) => setDescription(event.currentTarget.value)}
            error={errors.description}
          />
          <AmountField
            label={copy.amount}
            name="amount"
            defaultMinor={plan.amount === undefined ? null : minorFromDecimal(plan.amount)}
            error={errors.amount}
          />
          <CategoryField
            userId={userId}
            description={description}
            kept={plan.description ?? ''}
            current={plan.category ?? null}
            fallback="Otro"
            isInUse
          />
          <WhenFields plan={plan} when={when} today={today} error={errors.date} onChange={setWhen} />
        </>
      )}
    </FormDialog>
  )
}

type WhenProps = Pick<Props, 'plan'> & {
  when: When
  today: string
  error: string | undefined
  onChange: (when: When) => void
}

function WhenFields({ plan, when, today, error, onChange }: WhenProps) {
  const { rhythm, nextOn, isAutomatic } = when
  const isActive = (plan.status ?? 'active') === 'active'
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-4">
        <SelectField
          label={copy.rhythm}
          value={rhythm}
          onChange={({ target }) => onChange({ ...when, rhythm: target.value as Rhythm })}
        >
          {rhythms.map((each) => (
            <option key={each} value={each}>
              {copy.rhythms[each]}
            </option>
          ))}
        </SelectField>
        <InputField
          label={copy.nextOn}
          type="date"
          min={today}
          max={latestDay(today)}
          value={nextOn}
          onChange={({ target }) => onChange({ ...when, nextOn: target.value })}
          error={error}
          hint={isAutomatic && nextOn === today && isActive ? copy.today : undefined}
        />
      </div>
      {rhythm === 'monthly' && nextOn !== '' && isLastOfMonth(nextOn) && (
        <label className="flex min-h-11 items-center gap-3 text-sm">
          <input
            type="checkbox"
            name="lastDay"
            defaultChecked={plan.due_day === lastDayOfMonth || nextOn.endsWith('-31')}
            className="size-5 accent-primary"
          />
          {copy.lastDay}
        </label>
      )}
      <label className="flex min-h-11 items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={isAutomatic}
          onChange={({ target }) => onChange({ ...when, isAutomatic: target.checked })}
          className="size-5 shrink-0 accent-primary"
        />
        <span>
          {copy.automatic}
          {isAutomatic && <span className="block text-muted">{copy.automaticHint}</span>}
        </span>
      </label>
    </>
  )
}

function savedInWords(
  { description }: Pick<Wanted, 'description'>,
  next: Pick<Wanted, 'next_due_on'>,
): string {
  return copy.savedText(description, dayInWords(next.next_due_on))
}

function readWanted(
  fields: FormData,
  plan: Partial<Wanted> & Pick<Wanted, 'id'>,
  { rhythm, nextOn, isAutomatic }: When,
  today: string,
): Reading<Wanted, FieldName> {
  const amount = readAmount(textOf(fields, 'amount'))
  const description = lineOf(fields, 'description')
  // The next due day of a paused expense may be in the past. The form accepts a past day if the user has not changed
  // it.
  const isAsItWas = nextOn === plan.next_due_on
  const isOutside = !isAsItWas && (nextOn < today || nextOn > latestDay(today))
  const ofMonth = fields.has('lastDay') && isLastOfMonth(nextOn) ? lastDayOfMonth : Number(nextOn.slice(8))
  return readingOf<Wanted, FieldName>(
    {
      ...descriptionErrors(description),
      ...(!amount.ok && { amount: amount.error }),
      ...(nextOn === '' ? { date: copy.missingDate } : isOutside && { date: copy.dateOutside }),
    },
    {
      id: plan.id,
      status: plan.status ?? 'active',
      is_automatic: isAutomatic,
      rhythm,
      description,
      amount: amount.ok ? numberFromMinor(amount.amountMinor) : 0,
      category: textOf(fields, 'category') || null,
      next_due_on: nextOn,
      due_day: rhythm === 'weekly' || rhythm === 'biweekly' ? null : ofMonth,
    },
  )
}
