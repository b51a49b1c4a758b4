import { transactionsCopy } from '#features/transactions/copy.ts'
import type { Order } from '#features/transactions/history/history-index.ts'
import { SelectField } from '#ui/form/field.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import type { CategoryFilter, Selection } from './selection.ts'

type Props = {
  selection: Selection
  categories: readonly string[]
  onChange: (selection: Selection) => void
}

const orders: readonly Order[] = ['date', 'amount', 'description']

export function FilterBar({ selection, categories, onChange }: Props) {
  const { search, filter, order } = selection
  // An address may name a category that no row has, or none yet: the choice still says what it is.
  const offered =
    filter.kind === 'category' && !categories.includes(filter.name)
      ? [...categories, filter.name]
      : categories
  return (
    <search className="flex flex-wrap gap-2 px-4 py-2 sm:gap-3 sm:px-6 sm:py-4">
      <SearchField
        label={transactionsCopy.search}
        placeholder={transactionsCopy.search}
        value={search}
        onChange={(value) => onChange({ ...selection, search: value })}
        className="min-w-0 flex-[4_1_16rem]"
      />
      <SelectField
        label={transactionsCopy.category}
        isLabelHidden
        className="min-w-0 flex-[1_1_8rem]"
        value={optionOf(filter)}
        onChange={(event) => onChange({ ...selection, filter: filterOf(event.target.value) })}
      >
        <option value="all">{transactionsCopy.allCategories}</option>
        {offered.map((category) => (
          <option key={category} value={optionOf({ kind: 'category', name: category })}>
            {category}
          </option>
        ))}
        <option value="deposits">{transactionsCopy.deposits}</option>
      </SelectField>
      <SelectField
        label={transactionsCopy.order}
        isLabelHidden
        className="min-w-0 flex-[1_1_8rem]"
        value={order}
        onChange={(event) => onChange({ ...selection, order: event.target.value as Order })}
      >
        {orders.map((value) => (
          <option key={value} value={value}>
            {transactionsCopy.orders[value]}
          </option>
        ))}
      </SelectField>
    </search>
  )
}

// A category may be called anything, so its option carries a prefix that the two others have not.
const categoryPrefix = 'category:'

function optionOf(filter: CategoryFilter): string {
  return filter.kind === 'category' ? categoryPrefix + filter.name : filter.kind
}

function filterOf(option: string): CategoryFilter {
  if (option === 'deposits') return { kind: 'deposits' }
  if (!option.startsWith(categoryPrefix)) return { kind: 'all' }
  return { kind: 'category', name: option.slice(categoryPrefix.length) }
}
