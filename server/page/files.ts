/** The files of the built page, `web/dist`. */
import { existsSync, readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sirv from 'sirv'

const builtPage = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Returns the URL of the page's font, whose name contains a hash, or `null` if the page has not been built. */
export function builtFont(): string | null {
  const assets = join(builtPage, 'assets')
  const font = existsSync(assets)
    ? readdirSync(assets).find((name) => /^figtree-.*\.woff2$/.test(name))
    : undefined
  return font === undefined ? null : `/assets/${font}`
}

export type Serve = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Serves the built page's files. If the page has not been built, every request gets 404. */
export function fileServer(policy: string): Serve {
  // The APIs also work if the page has not been built, for example in tests or with another front end.
  if (!existsSync(join(builtPage, 'index.html'))) return (_request, _response, next) => next()
  const server = (ignores: false | RegExp) =>
    sirv(builtPage, {
      etag: true,
      brotli: true,
      gzip: true,
      single: true,
      ignores,
      setHeaders(response, path) {
        // Files with a hash in their name never change; browsers must revalidate all other files.
        response.setHeader(
          'cache-control',
          path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
        response.setHeader('content-security-policy', policy)
      },
    })
  const serveFile = server(/\/[^/]*\.[^/]*$/)
  const servePage = server(false)
  return (request, response, next) =>
    isNavigation(request) ? servePage(request, response, next) : serveFile(request, response, next)
}

/** Returns true if a browser navigates to the URL. A request for a path below `/assets/` never counts as navigation. */
function isNavigation({ url = '', headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true && !url.startsWith('/assets/')
}
