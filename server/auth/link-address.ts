/** The addresses that mails lead to, built from the configured site alone (security.md AN-09). */

/** What a link is for, as the address says it and `verify` reads it. */
export type VerificationType = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change'

/** The link that spends the token and then leads to `redirectTo`, which `redirectTarget` answered. */
export function linkAddress(
  siteUrl: string,
  link: { readonly token: string; readonly type: VerificationType; readonly redirectTo: string },
): string {
  const query = new URLSearchParams({ token: link.token, type: link.type, redirect_to: link.redirectTo })
  return `${siteUrl}/auth/v1/verify?${query.toString()}`
}
