import { transactionsCopy } from '#features/transactions/copy.ts'
import type { Order } from '#features/transactions/history/history-index.ts'
import { SelectField } from '#ui/form/field.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import type { Selection } from './selection.ts'

type Props = {
  selection: Selection
  categories: readonly string[]
  onChange: (selection: Selection) => void
}

const orders: readonly Order[] = ['date', 'amount', 'description']

export function FilterBar({ selection, categories, onChange }: Props) {
  const { search, order } = selection
  // An address may name a category that no row has, or none yet: the choice still says what it is.
  const offered = [...new Set([...categories, ...selection.categories])]
  const chosen = optionOf(selection)
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
        value={chosen}
        onChange={(event) => onChange({ ...selection, ...choiceOf(event.target.value) })}
      >
        <option value="all">{transactionsCopy.allCategories}</option>
        {offered.map((category) => (
          <option key={category} value={categoryPrefix + category}>
            {category}
          </option>
        ))}
        <option value="deposits">{transactionsCopy.deposits}</option>
        {chosen === 'several' && (
          <option value="several">{transactionsCopy.severalCategories(choicesOf(selection))}</option>
        )}
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

function optionOf(selection: Selection): string {
  const [category] = selection.categories
  if (choicesOf(selection) > 1) return 'several'
  if (selection.withDeposits) return 'deposits'
  return category === undefined ? 'all' : categoryPrefix + category
}

function choicesOf({ categories, withDeposits }: Selection): number {
  return categories.length + (withDeposits ? 1 : 0)
}

function choiceOf(option: string): Pick<Selection, 'categories' | 'withDeposits'> {
  const categories = option.startsWith(categoryPrefix) ? [option.slice(categoryPrefix.length)] : []
  return { categories, withDeposits: option === 'deposits' }
}
