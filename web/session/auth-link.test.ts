// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadConfiguration } from '#backend/configuration.ts'
import { readAuthLink } from './auth-link.ts'

beforeEach(async () => {
  window.localStorage.clear()
  vi.stubGlobal('fetch', async () =>
    Response.json({ supabaseUrl: 'http://banco.test', anonKey: 'anon', brandName: 'Banco' }),
  )
  await loadConfiguration()
})
afterEach(() => vi.unstubAllGlobals())

test('a page that was opened without a mail’s link has none', () => {
  expect(read({ hash: '' })).toEqual({ kind: 'none' })
  expect(read({ hash: '#contenido' })).toEqual({ kind: 'none' })
})

test('the bank’s own link waits, and leaves the address', () => {
  const replaceState = vi.fn()

  expect(read({ hash: '#token_hash=abc&type=recovery' }, replaceState)).toEqual({
    kind: 'token',
    type: 'recovery',
    tokenHash: 'abc',
  })

  expect(replaceState).toHaveBeenCalledWith(null, '', '/')
})

test('tokens in the address wait too: they leave it before the client could take them', () => {
  const replaceState = vi.fn()
  const hash = '#access_token=a&expires_in=3600&refresh_token=r&token_type=bearer&type=signup'

  expect(read({ hash }, replaceState)).toEqual({ kind: 'session', accessToken: 'a', refreshToken: 'r' })

  expect(replaceState).toHaveBeenCalledWith(null, '', '/perfil?a=1')
})

test('an expired link is reported once: it leaves the address', () => {
  const replaceState = vi.fn()

  expect(
    read({ hash: '#error=access_denied&error_code=otp_expired&error_description=x' }, replaceState),
  ).toEqual({ kind: 'failed' })

  expect(replaceState).toHaveBeenCalledWith(null, '', '/perfil?a=1')
})

test('a code is the client’s where this browser asked for it, and another browser’s otherwise', () => {
  const replaceState = vi.fn()

  expect(read({ hash: '', search: '?code=1' })).toEqual({ kind: 'elsewhere' })
  window.localStorage.setItem('sb-banco-auth-token-code-verifier', 'v')
  expect(read({ hash: '', search: '?code=1' }, replaceState)).toEqual({ kind: 'code' })
  expect(replaceState).not.toHaveBeenCalled()
})

function read({ hash, search = '?a=1' }: { hash: string; search?: string }, replaceState = vi.fn()) {
  const location = { hash, pathname: '/perfil', search } as Location
  return readAuthLink(location, { state: null, replaceState } as unknown as History)
}
