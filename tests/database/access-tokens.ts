import type { TokenKey } from '#server/tokens/access-token.ts'
import type { Person } from './people.ts'

/** Returns an access token for the person's session, as a sign-in with a password does. */
export function accessTokenOf(
  tokenKey: TokenKey,
  { id, sessionId }: Pick<Person, 'id' | 'sessionId'>,
  { isStaff = false } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return tokenKey.sign({
    iss: tokenKey.issuer,
    sub: id,
    aud: 'authenticated',
    role: 'authenticated',
    session_id: sessionId,
    email: '',
    phone: '',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: now }],
    app_metadata: isStaff ? { role: 'admin' } : {},
    user_metadata: {},
    is_anonymous: false,
    iat: now,
    exp: now + 3600,
  })
}
