import { useQuery } from '@tanstack/react-query'
import type { LazyCode } from './lazy.ts'

const retryMs = 15_000

/** Loads the code of a part of a page. The page does not wait for the code. Repeats a failed request every 15 seconds. */
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
