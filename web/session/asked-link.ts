/**
 * For which address this browser last asked for a link by mail: that link needs no second question here. Kept as a
 * salted hash, for a day, until the link comes or an account is entered or left here.
 */
const key = 'finanzas-link-asked'
const lifeMs = 24 * 3_600_000

export type AskedLink = { readonly salt: string; readonly hash: string; readonly at: number }

/** Browsers hash on `https:` and `localhost` alone; elsewhere nothing is noted, and the link takes a press of its button. */
export async function noteAskedLink(email: string): Promise<void> {
  forgetAskedLink()
  if (!('subtle' in window.crypto)) return
  const salt = window.crypto.randomUUID()
  const asked: AskedLink = { salt, hash: await hashOf(salt, email), at: Date.now() }
  window.localStorage.setItem(key, JSON.stringify(asked))
}

/** Forgets it too where it is a day old: asked for at each start of the page. */
export function askedLink(): AskedLink | null {
  const asked = parse(window.localStorage.getItem(key))
  if (asked === null || !(Date.now() - asked.at < lifeMs)) {
    forgetAskedLink()
    return null
  }
  return asked
}

export async function isAskedFor({ salt, hash }: AskedLink, email: string): Promise<boolean> {
  return (await hashOf(salt, email)) === hash
}

export function forgetAskedLink(): void {
  window.localStorage.removeItem(key)
}

function parse(stored: string | null): AskedLink | null {
  try {
    return JSON.parse(stored ?? 'null') as AskedLink | null
  } catch {
    return null
  }
}

async function hashOf(salt: string, email: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${salt} ${email.toLowerCase()}`)
  const hash = new Uint8Array(await window.crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
