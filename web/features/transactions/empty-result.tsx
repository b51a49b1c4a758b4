import { SearchX } from 'lucide-react'
import { Button } from '#ui/button.tsx'
import { transactionsCopy } from './copy.ts'

export function EmptyResult({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <div className="grid min-h-64 place-content-center justify-items-center gap-4 border-t border-line p-6 text-center text-muted">
      <SearchX aria-hidden="true" className="size-7" strokeWidth={1.5} />
      <p className="max-w-sm text-balance">{transactionsCopy.empty}</p>
      {isFiltered && (
        <Button variant="outline" size="small" onClick={onClear}>
          {transactionsCopy.clearFilters}
        </Button>
      )}
    </div>
  )
}
