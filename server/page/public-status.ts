/**
 * The public page `/estado`. The server can send this page without the database and without the built web page
 * (docs/decisions/0072).
 */
import { createHash } from 'node:crypto'
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import { publicStatusCopy as copy } from '@finanzas/contract/operations/copy.ts'

/** Time for which browsers and proxies may keep the page. */
export const publicStatusSeconds = 30

const style =
  ':root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}' +
  'body{display:grid;min-height:90vh;place-content:center;margin:0;padding:1.5rem;text-align:center}' +
  'h1{margin:0;font-size:1.5rem}p{margin:.5rem 0 0}'

/**
 * Content security policy of the page. The policy allows one inline style, and blocks scripts and all other resources.
 */
export const publicStatusPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Returns the page. `since` is the time at which the state began, in ISO 8601 format; `null` if the time is not known.
 */
export function publicStatusPage({
  brandName,
  isUp,
  since,
}: {
  readonly brandName: string
  readonly isUp: boolean
  readonly since: string | null
}): string {
  const lines = [since === null ? null : copy.since(momentInWords(since)), isUp ? null : copy.later]
  return `<!doctype html>
<html lang="es-CO">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(copy.title(brandName))}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${isUp ? copy.up : copy.down}</h1>
${lines
  .filter((line) => line !== null)
  .map((line) => `<p>${line}</p>`)
  .join('\n')}
</main>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character)
}
