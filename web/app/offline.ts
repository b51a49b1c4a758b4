import type { QueryClient } from '@tanstack/react-query'
import { logQuietly } from '#api/errors.ts'
import { keepReadings } from '#data/keep-readings.ts'
import { ownScript } from '#ui/own-script.ts'

/**
 * Makes the page installable, and stores its code and data so that it can be opened offline later. Returns a function
 * that stops storing data.
 */
export function prepareOffline(client: QueryClient, userId: string, isKept: boolean): () => void {
  // The service worker is not registered under `npm run dev` or over plain HTTP.
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    navigator.serviceWorker
      .register(ownScript('/sw.js'))
      .catch((error: unknown) => logQuietly(error, 'service worker'))
  }
  if (document.querySelector('link[rel=manifest]') === null) document.head.append(manifestLink())
  return isKept ? keepReadings(client, userId) : () => {}
}

/**
 * Returns a link element for the manifest. If the link were in index.html, the browser would fetch the manifest and
 * icons while the page starts.
 */
function manifestLink(): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  return link
}
