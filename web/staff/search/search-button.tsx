import { Search } from 'lucide-react'
import { adminCopy } from '#staff/copy.ts'
import { Button } from '#ui/button.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { searchDialog } from './search-key.tsx'

export function SearchButton() {
  const { open, dialog } = useLazyDialog(searchDialog)
  return (
    <>
      <Button
        variant="outline"
        size="icon"
        className="lg:size-9"
        aria-label={adminCopy.search}
        title={adminCopy.search}
        onClick={() => open({})}
      >
        <Search aria-hidden="true" className="size-4.5" />
      </Button>
      {dialog}
    </>
  )
}
