import type { QueryClient } from '@tanstack/react-query'
import { logQuietly } from '#backend/errors.ts'
import { keepReadings } from '#ledger/keep-readings.ts'
import { ownScript } from '#ui/own-script.ts'

/**
 * Makes the page installable, and keeps its code and data so that it opens offline next time. Returns a function that
 * stops keeping data.
 */
export function prepareOffline(client: QueryClient, userId: string, isKept: boolean): () => void {
  // No worker runs under `npm run dev`, or over plain HTTP.
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    navigator.serviceWorker
      .register(ownScript('/sw.js'))
      .catch((error: unknown) => logQuietly(error, 'service worker'))
  }
  if (document.querySelector('link[rel=manifest]') === null) document.head.append(manifestLink())
  return isKept ? keepReadings(client, userId) : () => {}
}

/**
 * Returns the link to the manifest. In index.html the link would make the browser fetch manifest and icons during the
 * start.
 */
function manifestLink(): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  return link
}
