/**
 * Which pages may call: the site's own, and those that the operator lists (security.md HD-04, RT-04). Exact comparison, no patterns.
 */

/** Origins as browsers send them, e.g. `https://bank.example`. */
export type Origins = { readonly allows: (origin: string) => boolean }

/** The allowed origins: the site's, loopback names on the same port while the site is the default one, and further ones. */
export function allowedOrigins(site: {
  readonly siteUrl: string
  readonly isDefaultSite: boolean
  readonly port: number
  readonly further: readonly string[]
}): Origins {
  const origins = new Set([new URL(site.siteUrl).origin, ...site.further])
  if (site.isDefaultSite) {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) origins.add(`http://${host}:${site.port}`)
  }
  return { allows: (origin) => origins.has(origin) }
}
