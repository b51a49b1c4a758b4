import { queryOptions } from '@tanstack/react-query'
import { untilRead } from '#ledger/queries.ts'

/** Loads the code of the charts, after the page is on screen and only if there is something to draw. */
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
