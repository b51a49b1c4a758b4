import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useSearchKey } from '#ui/palette/use-search-key.ts'

const customerSearch = lazyCode(() => import('./customer-search.tsx'), 'CustomerSearch')

/** Opens the customer's search when Ctrl+K is pressed on any page. Its code is loaded by the first press. */
export function CustomerSearchKey() {
  const { open, dialog } = useLazyDialog(customerSearch)
  useSearchKey(() => open({}))
  return dialog
}
