import { lazyCode } from '#ui/lazy/lazy.ts'
import { useAddress } from '#ui/address/address.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useSingleKey } from '#ui/single-keys.ts'
import { useSearchKey } from '#ui/palette/use-search-key.ts'

export const searchDialog = lazyCode(() => import('./search-dialog.tsx'), 'SearchDialog')

/** Opens the bank-wide search when an administrator presses Ctrl+K on any page, or / on an administration page. */
export function SearchKey() {
  const { open, dialog } = useLazyDialog(searchDialog)
  const isInPanel = useAddress().pathname.toLowerCase().startsWith('/admin')
  useSingleKey(isInPanel ? { '/': () => open({}) } : {})
  useSearchKey(() => open({}))
  return dialog
}
