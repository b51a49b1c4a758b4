import type { QueryClient } from '@tanstack/react-query'
import { logQuietly } from '#backend/errors.ts'
import { keepReadings } from '#ledger/keep-readings.ts'
import { ownScript } from '#ui/own-script.ts'

/** Lets the page be installed, and open without a connection the next time, with what it shows now; answers the function that stops it. */
export function prepareOffline(client: QueryClient, userId: string, isKept: boolean): () => void {
  // A page of `npm run dev` has no worker, and one over plain HTTP gets none.
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    navigator.serviceWorker
      .register(ownScript('/sw.js'))
      .catch((error: unknown) => logQuietly(error, 'service worker'))
  }
  if (document.querySelector('link[rel=manifest]') === null) document.head.append(manifestLink())
  return isKept ? keepReadings(client, userId) : () => {}
}

/** Not in index.html: the browser reads the manifest and draws its icons at once, while the page starts. */
function manifestLink(): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  return link
}
