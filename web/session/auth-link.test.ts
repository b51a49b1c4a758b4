import { expect, test, vi } from 'vitest'
import { readAuthLink } from './auth-link.ts'

test('a page that was opened without a mail’s link has none', () => {
  expect(read('')).toBe('none')
  expect(read('#contenido')).toBe('none')
})

test('a confirmation link signs in', () => {
  expect(read('#access_token=a&expires_in=3600&refresh_token=r&token_type=bearer&type=signup')).toBe(
    'signed-in',
  )
})

test('a recovery link asks for a new password', () => {
  expect(read('#access_token=a&expires_in=3600&refresh_token=r&token_type=bearer&type=recovery')).toBe(
    'recovery',
  )
})

test('an invitation asks for a first password', () => {
  expect(read('#access_token=a&expires_in=3600&refresh_token=r&token_type=bearer&type=invite')).toBe(
    'recovery',
  )
})

test('an expired link is reported once: it leaves the address', () => {
  const replaceState = vi.fn()

  expect(read('#error=access_denied&error_code=otp_expired&error_description=x', replaceState)).toBe('failed')

  expect(replaceState).toHaveBeenCalledWith(null, '', '/perfil?a=1')
})

function read(hash: string, replaceState = vi.fn()) {
  const location = { hash, pathname: '/perfil', search: '?a=1' } as Location
  return readAuthLink(location, { state: null, replaceState } as unknown as History)
}
