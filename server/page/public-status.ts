/**
 * The public page `/estado`. The server can send this page without the database and without the built web page
 * (docs/decisions/0072).
 */
import { createHash } from 'node:crypto'
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import { publicStatusCopy as copy } from '@finanzas/contract/operations/copy.ts'
import { builtFont } from './files.ts'

/** Time for which browsers and proxies may keep the page. */
export const publicStatusSeconds = 30

const font = builtFont()

/** Colours and font of the bank's page (web/ui/tokens.css), whose files may not be built. */
const style =
  (font === null
    ? ''
    : `@font-face{font-family:Figtree;font-weight:300 900;src:url(${font}) format("woff2")}`) +
  ':root{color-scheme:light dark;font:1rem/1.5 Figtree,ui-sans-serif,system-ui,"Segoe UI",Roboto,sans-serif;' +
  'background:light-dark(#f8f5ef,#0c1118);color:light-dark(#141b26,#eef0f4)}' +
  'body{display:grid;grid-template-rows:auto 1fr;min-height:100vh;margin:0}' +
  'header{border-bottom:1px solid light-dark(#e2dccf,#28303c)}' +
  'a{color:light-dark(#234485,#9cbefc)}' +
  '.brand{display:inline-flex;align-items:center;gap:.75rem;min-height:2.75rem;padding:.375rem 1.5rem;' +
  'color:inherit;font-weight:600;text-decoration:none;overflow-wrap:anywhere}' +
  '.brand svg{flex:none;width:2rem;height:2rem}' +
  'main{place-self:center;max-width:36rem;padding:1.5rem;text-align:center}' +
  'h1{margin:0;font-size:1.75rem;line-height:1.2;letter-spacing:-.025em}' +
  'p{margin:.75rem 0 0;color:light-dark(#525864,#a9b0bb)}' +
  '.login{display:inline-block;margin-top:1rem;padding:.625rem}'

/** The mark of web/public/favicon.svg. */
const mark =
  '<svg aria-hidden="true" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#17305f"/>' +
  '<g fill="none" stroke="#f4f0e6">' +
  [0, 45, 90, 135, 180, 225, 270, 315]
    .map((angle) => `<circle cx="16" cy="10.6" r="5.2" transform="rotate(${angle} 16 16)"/>`)
    .join('') +
  '</g><circle cx="16" cy="16" r="2.4" fill="#e3b662"/></svg>'

/**
 * Content security policy of the page. The policy allows one inline style and the bank's font, and blocks scripts and
 * all other resources.
 */
export const publicStatusPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

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
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f8f5ef">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0c1118">
<title>${escapeHtml(copy.title(brandName))}</title>
<style>${style}</style>
</head>
<body>
<header><a class="brand" href="/">${mark}<span translate="no">${escapeHtml(brandName)}</span></a></header>
<main>
<h1>${isUp ? copy.up : copy.down}</h1>
${lines
  .filter((line) => line !== null)
  .map((line) => `<p>${line}</p>`)
  .join('\n')}
<a class="login" href="/login">${copy.login}</a>
</main>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character)
}
