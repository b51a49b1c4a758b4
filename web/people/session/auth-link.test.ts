// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { readAuthLink } from './auth-link.ts'

const tokens = '#access_token=a&expires_in=3600&refresh_token=r&token_type=bearer&type=signup'

beforeEach(() => serve(() => undefined))
afterEach(clearPage)

test.each([
  ['an address without a link has no link to open', '?a=1', { kind: 'none' }, null],
  ['an address with an anchor has no link to open', '?a=1#contenido', { kind: 'none' }, null],
  [
    'a link of the bank waits and is removed from the address',
    '?a=1#token_hash=abc&type=recovery',
    { kind: 'token', type: 'recovery', tokenHash: 'abc' },
    '/',
  ],
  [
    'tokens in the address wait and are removed before the client can read them',
    `?a=1${tokens}`,
    { kind: 'session', accessToken: 'a', refreshToken: 'r' },
    '/perfil?a=1',
  ],
  [
    'an expired link is removed from the address, so it is reported once',
    '?a=1#error=access_denied&error_code=otp_expired&error_description=x',
    { kind: 'failed' },
    '/perfil?a=1',
  ],
  ['a code that another browser requested cannot be used here', '?code=1', { kind: 'elsewhere' }, '/'],
])('%s', (_, address, link, left) => {
  expect(read(address)).toEqual([link, left])
})

test('a code that this browser requested stays in the URL, because the client exchanges it', () => {
  window.localStorage.setItem('sb-banco-auth-token-code-verifier', 'v')

  expect(read('?code=1')).toEqual([{ kind: 'code' }, null])
})

/** Returns the link contained in a URL, and the URL that replaces this URL in the browser's history. */
function read(address: string) {
  const { search, hash } = new URL(address, 'http://banco.test/perfil')
  const replaceState = vi.fn()
  const link = readAuthLink(
    { hash, pathname: '/perfil', search } as Location,
    { state: null, replaceState } as unknown as History,
  )
  return [link, replaceState.mock.calls[0]?.[2] ?? null]
}
