import type { Ref } from 'react'
import { selectionCopy } from './copy.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/form/field.tsx'
import { FiltersButton } from '#ui/filters-button.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { periodNameOf } from './periods.ts'
import { suggestionFor } from './suggestion.ts'
import { OrderField, orderOf } from './order-field.tsx'
import { everything, hasRange, type Selection } from './selection.ts'
import { rangeInWords } from './words.ts'

type Props = {
  selection: Selection
  categories: readonly string[]
  /** Whether the dialog of the filters also contains the order. */
  hasOrder?: boolean
  onChange: (selection: Selection) => void
  /** Ref to the search field, used by the shortcut that focuses the field. */
  search?: Ref<HTMLInputElement> | undefined
}

const filtersDialog = lazyCode(() => import('./filters-dialog.tsx'), 'FiltersDialog')

export function FilterBar({ selection, categories, hasOrder = false, onChange, search = null }: Props) {
  // The user may open the dialog before the page has read the history, which contains the categories.
  const { open, dialog } = useLazyDialog(filtersDialog, { categories })
  // The chosen categories are always listed, because the URL may contain a category that does not have any rows.
  const offered = [...new Set([...categories, ...selection.categories])]
  const chosen = optionOf(selection)
  return (
    <search className="history-tools">
      <div>
        <SearchField
          ref={search}
          label={selectionCopy.search}
          placeholder={selectionCopy.search}
          value={selection.search}
          onChange={(value) => onChange({ ...selection, search: value })}
          className="min-w-0 flex-1"
        />
        <FiltersButton
          active={activeFilters(selection)}
          aria-haspopup="dialog"
          onClick={() => open({ selection, categories, hasOrder, onChange })}
        />
        {dialog}
      </div>
      <div>
        <SelectField
          label={selectionCopy.category}
          isLabelHidden
          className="min-w-0 flex-1"
          value={chosen}
          onChange={(event) => onChange({ ...selection, ...choiceOf(event.target.value) })}
        >
          <option value="all">{selectionCopy.allCategories}</option>
          {offered.map((category) => (
            <option key={category} value={categoryPrefix + category}>
              {category}
            </option>
          ))}
          <option value="deposits">{selectionCopy.deposits}</option>
          {chosen === 'several' && (
            <option value="several">{selectionCopy.severalCategories(choicesOf(selection))}</option>
          )}
        </SelectField>
        <OrderField
          isLabelHidden
          className="min-w-0 flex-1"
          value={selection.order}
          onChange={(event) => onChange({ ...selection, order: orderOf(event.target.value) })}
        />
      </div>
    </search>
  )
}

type SuggestionProps = Pick<Props, 'selection' | 'onChange'> & { variant: 'primary' | 'quiet' }

/**
 * Offers filters that the typed text may mean, such as a month. Until the customer accepts the offer, the list shows
 * rows that contain the typed text itself.
 */
export function SuggestionButton({ selection, onChange, variant }: SuggestionProps) {
  const suggestion = suggestionFor(selection.search, dayInBogota())
  if (suggestion === null) return null
  return (
    <Button
      variant={variant}
      className="text-left"
      onClick={(event) => {
        // The button disappears after it is pressed. If the user pressed the button with the keyboard, the search field
        // takes the focus. After a tap, the field does not take the focus, because a phone would open its on-screen
        // keyboard.
        if (event.detail === 0) event.currentTarget.closest('section')?.querySelector('input')?.focus()
        onChange({ ...selection, ...suggestion.filters })
      }}
    >
      {suggestion.question}
    </Button>
  )
}

/** Shows the selected days and amounts, because the filter bar itself does not show them. */
export function RangeLine({ selection, onChange }: Pick<Props, 'selection' | 'onChange'>) {
  if (!hasRange(selection)) return null
  const period = periodNameOf(selection)
  const [days = '', ...amounts] = rangeInWords(selection)
  const words = period === null ? [days, ...amounts] : [selectionCopy.periods[period], ...amounts]
  return (
    <p className="flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line px-4 text-sm text-muted sm:px-6">
      <span className="first-letter:uppercase">{words.join(' · ')}</span>
      <Button
        variant="quiet"
        size="small"
        className="min-h-11"
        onClick={() => onChange({ ...everything, search: selection.search, order: selection.order })}
      >
        {selectionCopy.clearFilters}
      </Button>
    </p>
  )
}

// A category may have any name. The prefix therefore distinguishes a category's value from the values of the other
// options.
const categoryPrefix = 'category:'

function optionOf(selection: Selection): string {
  const [category] = selection.categories
  if (choicesOf(selection) > 1) return 'several'
  if (selection.withDeposits) return 'deposits'
  return category === undefined ? 'all' : categoryPrefix + category
}

/**
 * Counts the active filters. Each category counts as one filter, the two days together count as one filter, and the two
 * amounts together count as one filter.
 */
function activeFilters(selection: Selection): number {
  const { from, to, minMinor, maxMinor } = selection
  const ranges = [from !== '' || to !== '', minMinor !== null || maxMinor !== null]
  return choicesOf(selection) + ranges.filter(Boolean).length
}

function choicesOf({ categories, withDeposits }: Selection): number {
  return categories.length + (withDeposits ? 1 : 0)
}

function choiceOf(option: string): Pick<Selection, 'categories' | 'withDeposits'> {
  const categories = option.startsWith(categoryPrefix) ? [option.slice(categoryPrefix.length)] : []
  return { categories, withDeposits: option === 'deposits' }
}
