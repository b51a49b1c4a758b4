import type { PageConfiguration } from '@finanzas/contract/wire/configuration.ts'
import type { Feature } from '@finanzas/contract/wire/features.ts'
import { keptHeader } from '#offline/answers.ts'

const noFeatures = {
  features: [],
  hasApprovals: false,
  paperFormats: ['csv'],
} satisfies Partial<PageConfiguration>
let loaded: PageConfiguration | undefined
let isKept = false

/** Reads `/config.json` once, before the page starts anything else. */
export async function loadConfiguration(): Promise<PageConfiguration> {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`GET /config.json answered ${response.status}`)
  isKept = response.headers.has(keptHeader)
  // During an upgrade, the response may come from a server of an earlier release, which does not list features or formats.
  loaded = { ...noFeatures, ...((await response.json()) as PageConfiguration) }
  return loaded
}

/**
 * Returns whether the page started without a network: in this case the service worker answered `/config.json` from its
 * cache.
 */
export function startedOffline(): boolean {
  return isKept
}

export function configuration(): PageConfiguration {
  if (loaded === undefined) throw new Error('loadConfiguration has not finished')
  return loaded
}

/**
 * Returns whether the bank has enabled a feature. The database refuses the calls of a disabled feature. Returns true
 * before the configuration has arrived, because `early.ts` fetches the page's code before that moment.
 */
export function hasFeature(name: Feature): boolean {
  return loaded === undefined || loaded.features.includes(name)
}

/**
 * Returns whether this bank has a queue of requests that administrators decide. Returns true before the configuration
 * has arrived.
 */
export function hasRequestQueue(): boolean {
  return loaded === undefined || hasFeature('transferencias') || loaded.hasApprovals
}

/** Returns the configured base URL of the surfaces, or the page's own origin if none is configured. */
export function backendUrl(): string {
  return configuration().supabaseUrl || window.location.origin
}
