import { queryOptions } from '@tanstack/react-query'
import { untilRead } from '#ledger/queries.ts'

/** The charts' code, fetched when there are data to draw, after the page is on the screen. */
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
