import { formatDateShort, formatDateWithYear, noonInBogota } from '#ui/format/dates.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { offered } from '#categories/category-field.tsx'
import { SelectField } from '#ui/form/field.tsx'
import { FirstLines } from '#uploads/first-lines.tsx'
import { importCopy } from './copy.ts'
import { isIncluded, type Choice, type Group } from './groups.ts'
import type { Doubt } from './match.ts'

type Props = {
  groups: readonly Group[]
  /** The customer's own categories. */
  own: readonly string[]
  choices: ReadonlyMap<string, Choice>
  onChoose: (key: string, choice: Choice) => void
}

/** Number of groups that the list shows initially, beginning with the newest group, and adds with each click. */
const groupsStep = 50

/**
 * Transactions grouped by description. For each group of expenses, the user chooses a category and decides whether the
 * group is recorded.
 */
export function GroupList({ groups, own, choices, onChoose }: Props) {
  return (
    <FirstLines lines={groups} step={groupsStep} more={importCopy.moreGroups} className="mx-auto">
      {(shown) => (
        <ul>
          {shown.map((group) => (
            <GroupRow
              key={group.key}
              group={group}
              own={own}
              choice={choices.get(group.key)}
              isLeftOut={!isIncluded(group, choices)}
              onChoose={onChoose}
            />
          ))}
        </ul>
      )}
    </FirstLines>
  )
}

type RowProps = Pick<Props, 'own' | 'onChoose'> & {
  group: Group
  choice: Choice | undefined
  isLeftOut: boolean
}

function GroupRow({ group, own, choice = {}, isLeftOut, onChoose }: RowProps) {
  const { key, label, expenses, amountMinor, isProposed, isRuled, doubt, isIncome } = group
  const category = choice.category ?? group.category
  return (
    <li
      className={`import-group ${isIncome ? 'text-muted' : ''}`}
      data-left-out={(isLeftOut && !isIncome) || undefined}
    >
      <label className="import-group-name flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          checked={!isLeftOut}
          disabled={isIncome}
          aria-label={importCopy.include(label)}
          onChange={({ target }) => onChoose(key, { isLeftOut: !target.checked })}
        />
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{label}</span>
          <span className="block text-sm text-muted">
            {whenOf(group)}
            {choice.category === undefined &&
              (isRuled ? ` · ${importCopy.ruled}` : isProposed && ` · ${importCopy.proposed}`)}
          </span>
          {doubt !== null && <span className="block text-sm">{questionOf(doubt)}</span>}
        </span>
      </label>
      <MoneyText className="import-group-amount figures text-right">
        {`${isIncome ? '+' : '-'}${displayedMinor(amountMinor)}`}
      </MoneyText>
      {isIncome ? (
        <p className="import-group-category text-sm">{importCopy.incomeWhy}</p>
      ) : (
        <SelectField
          label={importCopy.category(label)}
          isLabelHidden
          className="import-group-category"
          value={category}
          disabled={isLeftOut}
          onChange={(event) => onChoose(key, { category: event.target.value })}
        >
          <option value="">{importCopy.noCategory}</option>
          {offered([...own, group.category].filter(Boolean), expenses[0]?.category ?? null).map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
      )}
    </li>
  )
}

function questionOf({ like }: Doubt): string {
  if (like === null) return importCopy.wasRemoved
  const { description, day, isRecurring } = like
  if (isRecurring) return importCopy.isRecorded(description, formatDateShort(noonInBogota(day)))
  return importCopy.isSame(description, formatDateWithYear(noonInBogota(day)))
}

/** Returns text such as `3 oct 2026` or `12 gastos · 3 oct 2026 – 15 nov 2026`. */
function whenOf({ expenses, first, last, isIncome }: Group): string {
  const words = [...new Set([first, last])].map((day) => formatDateWithYear(noonInBogota(day))).join(' – ')
  if (expenses.length === 1) return words
  return `${isIncome ? importCopy.incomes(expenses.length) : importCopy.times(expenses.length)} · ${words}`
}
