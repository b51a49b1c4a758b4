import { expect, test } from 'vitest'
import { asCaller, asService, scopeStatement } from './scope.ts'

const claims = {
  iss: 'i',
  sub: '00000000-0000-4000-8000-000000000001',
  aud: 'authenticated' as const,
  exp: 1,
  iat: 0,
  email: 'ana@banco.example',
  phone: '',
  app_metadata: {},
  user_metadata: { full_name: `x'; reset role; --` },
  role: 'authenticated' as const,
  aal: 'aal1' as const,
  amr: [],
  session_id: '00000000-0000-4000-9000-000000000001',
  is_anonymous: false,
}

test('the scope statement checks the session before it sets the role, and its text contains no values from the client', () => {
  const { text, values } = scopeStatement(asCaller({ role: 'authenticated', claims }, 'read'))

  expect(text.indexOf('auth.require_session')).toBeLessThan(text.indexOf("set_config('role'"))
  expect(text).not.toContain('reset role')
  expect(text).not.toContain(claims.sub)
  expect(values).toEqual(['authenticated', JSON.stringify(claims), 'on', claims.session_id, claims.sub])
})

test('every setting made for a request ends with its database transaction', () => {
  const settings =
    scopeStatement(asCaller({ role: 'authenticated', claims }, 'read')).text.match(/set_config\([^)]*\)/g) ??
    []

  expect(settings.length).toBeGreaterThanOrEqual(4)
  expect(settings.filter((setting) => !setting.endsWith(', true)'))).toEqual([])
})

test('services and anonymous callers need no session', () => {
  const anonymous = scopeStatement(asCaller({ role: 'anon' }, 'read'))
  const service = scopeStatement(asService('supabase_auth_admin', 'write'))

  expect(anonymous.text).not.toContain('require_session')
  expect(anonymous.values).toEqual(['anon', '{"role":"anon"}', 'on'])
  expect(service.values).toEqual(['supabase_auth_admin', '', 'off'])
})
