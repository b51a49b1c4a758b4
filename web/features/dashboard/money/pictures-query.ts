import { queryOptions } from '@tanstack/react-query'
import { untilRead } from '#ledger/queries.ts'

/** What draws the customer's money, fetched when there is something to draw: the page is on the screen before it. */
export function picturesQuery(isNeeded: boolean) {
  return queryOptions({
    ...untilRead,
    queryKey: ['money-pictures'],
    queryFn: () => import('./money-pictures.tsx'),
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}
