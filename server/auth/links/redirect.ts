/** URLs of the links in mails, the pages to which these links lead, and the parameters that they pass to the page. */
import { mailedLinkPath } from '@finanzas/contract/people/mailed-link.ts'
import type { SessionBody } from '#auth/session-body.ts'
import type { Origins } from '#http/cors.ts'
import type { WireError } from '#http/wire-error.ts'
import { type VerificationType, pageAddress } from '#mail/link-address.ts'

/** A longer URL would not fit on one line of a mail (RFC 5322 allows 998 characters). */
const targetLengthMax = 512

/**
 * Returns the page that the client requested if the page's origin is allowed, otherwise the site (security.md AN-09).
 * Ignores `Host` and `Referer`, because the sender of a request can set both.
 */
export function redirectTarget(
  asked: string | null,
  { config, redirectOrigins }: { config: { siteUrl: string }; redirectOrigins: Origins },
): string {
  const site = new URL(config.siteUrl).href
  if (asked === null || asked.length > targetLengthMax || !URL.canParse(asked)) return site
  const url = new URL(asked)
  // The origin of a `blob:` URL is the origin of the page that created the URL.
  const isPage = url.protocol === 'https:' || url.protocol === 'http:'
  const isOurs = redirectOrigins.allows(url.origin) && url.username === '' && url.password === ''
  if (!isPage || !isOurs || url.href.length > targetLengthMax) return site
  url.hash = ''
  return url.href
}

/** Returns the URL that passes the session to the page; `type` is the type of the link. */
export function sessionRedirect(target: string, session: SessionBody, type: string): string {
  return withFragment(target, {
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    token_type: session.token_type,
    type,
  })
}

export function codeRedirect(target: string, code: string): string {
  const url = new URL(target)
  url.searchParams.set('code', code)
  return url.href
}

export function messageRedirect(target: string, message: string): string {
  return withFragment(target, { message })
}

/**
 * Returns the URL that tells the page why the link did not open a session. Under PKCE, the query contains the error
 * too.
 */
export function errorRedirect(target: string, error: WireError, { isPkce }: { isPkce: boolean }): string {
  const fields = {
    error: error.status >= 500 ? 'server_error' : 'access_denied',
    error_code: error.code,
    error_description: error.message,
  }
  const url = new URL(target)
  if (isPkce) for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return withFragment(url.href, fields)
}

/** Adds an empty `sb`, by which the client recognizes a fragment from its own server. Sorts the keys. */
function withFragment(target: string, fields: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams({ ...fields, sb: '' })
  parameters.sort()
  return `${target}#${parameters.toString()}`
}

/**
 * Returns the link that consumes the token and then redirects to `redirectTo`, a result of `redirectTarget`. If
 * `redirectTo` is the bank's own page for links, the link leads to the page with the token after the `#`, as in some
 * upstream mail templates. The page consumes the token only when the user presses a button; a mail scanner does not
 * press it.
 */
export function linkAddress(
  siteUrl: string,
  link: { readonly token: string; readonly type: VerificationType; readonly redirectTo: string },
): string {
  const target = new URL(link.redirectTo)
  if (target.pathname === mailedLinkPath) return pageAddress(target.origin, link)
  const query = new URLSearchParams({ token: link.token, type: link.type, redirect_to: link.redirectTo })
  return `${siteUrl}/auth/v1/verify?${query.toString()}`
}
