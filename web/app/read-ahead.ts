import type { QueryClient } from '@tanstack/react-query'
import { balanceQuery, latestQuery, monthlyLimitQuery } from '#ledger/queries.ts'

/**
 * Starts to read what the dashboard will show while it is still being drawn, which takes a slow phone longer than the
 * reading. The page finds the readings under way or done. What fails here fails there, and is said there. A history is
 * not read ahead: its thousand rows would be worked on before the page that is to show them is on screen.
 */
export function readAhead(client: QueryClient, userId: string, pathname: string): void {
  if (pathname !== '/dashboard' && pathname !== '/') return
  void client.prefetchQuery(balanceQuery(userId))
  void client.prefetchQuery(latestQuery(userId))
  void client.prefetchQuery(monthlyLimitQuery(userId))
}
