import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { adminCopy } from '#staff/copy.ts'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'

export type Pages = Pick<
  UseInfiniteQueryResult,
  'isError' | 'isFetchNextPageError' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage' | 'refetch'
>

/** Button that reads the next page of a list. If a read failed, a button that repeats that read. */
export function MoreRows({ pages, unread }: { pages: Pages; unread: string }) {
  const { isError, isFetchNextPageError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = pages
  if (isError) {
    const retry = () => void (isFetchNextPageError ? fetchNextPage() : refetch())
    return (
      <div className="px-4 py-2 sm:px-6">
        <RetryLine message={unread} onRetry={retry} />
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
