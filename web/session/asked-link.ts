/**
 * For which address this browser last asked for a link by mail: that link needs no second question here. It stays
 * until the link comes or somebody signs in.
 */
const key = 'finanzas-link-asked'

export function noteAskedLink(email: string): void {
  window.localStorage.setItem(key, email.toLowerCase())
}

export function askedLink(): string | null {
  return window.localStorage.getItem(key)
}

export function forgetAskedLink(): void {
  window.localStorage.removeItem(key)
}
