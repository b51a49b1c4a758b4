import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { adminCopy } from '#features/admin/copy.ts'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'

export type Pages = Pick<
  UseInfiniteQueryResult,
  'isError' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
>

/** Button that reads the next page of a list. If a page could not be read, a button that reads it again. */
export function MoreRows({ pages, unread }: { pages: Pages; unread: string }) {
  const { isError, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  if (isError) {
    return (
      <div className="px-4 py-2 sm:px-6">
        <RetryLine message={unread} onRetry={() => void fetchNextPage()} />
      </div>
    )
  }
  if (!hasNextPage) return null
  return (
    <div className="flex justify-center border-t border-line p-2">
      <Button variant="outline" size="small" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {adminCopy.showMore}
      </Button>
    </div>
  )
}
