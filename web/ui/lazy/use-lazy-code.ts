import { useQuery } from '@tanstack/react-query'
import type { LazyCode } from './lazy.ts'

const retryMs = 15_000

/**
 * Loads the code for a part of a page, while the rest of the page is already shown. A failed request is repeated every
 * 15 seconds.
 */
export function useLazyCode<Code>({ id, load }: LazyCode<Code>, isNeeded = true) {
  return useQuery({
    queryKey: ['code', id],
    queryFn: load,
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? retryMs : false),
  })
}
