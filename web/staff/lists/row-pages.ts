import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query'
import type { ReadAfter } from '#api/read-all.ts'

/** Query for a `ListTable` that reads a list page by page. */
export function rowPages<Row>(queryKey: readonly unknown[], read: ReadAfter<Row>, rowsMax = 50) {
  type Page = readonly Row[]
  /** The row before the first row of a page. */
  type Place = { last?: Row | undefined }
  return infiniteQueryOptions<Page, Error, InfiniteData<Page>, readonly unknown[], Place>({
    queryKey,
    initialPageParam: {},
    queryFn: ({ pageParam, signal }) => read(pageParam.last, { rowsMax, signal }),
    getNextPageParam: (page) => (page.length < rowsMax ? undefined : { last: page.at(-1) }),
  })
}
