import { randomUUID } from 'node:crypto'
import type { SignUp } from '#people/sign-up.ts'
import { appMetadata, signUpMetadata } from '#people/users.ts'

/**
 * Returns the answer to a sign-up, which is the same whether the address is new, unconfirmed or taken
 * (docs/decisions/0044). The answer describes a new user with random ids, as GoTrue's `sanitizeUser` does for a taken
 * address. The client learns the real id when it gets its first session.
 */
export function signUpBody({
  email,
  userMetadata,
}: Pick<SignUp, 'email' | 'userMetadata'>): Record<string, unknown> {
  const at = new Date().toISOString()
  const id = randomUUID()
  const metadata = signUpMetadata(userMetadata, { id, email, isConfirmed: false })
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: at,
    app_metadata: appMetadata('user'),
    user_metadata: metadata,
    identities: [
      {
        identity_id: randomUUID(),
        id,
        user_id: id,
        identity_data: metadata,
        provider: 'email',
        last_sign_in_at: at,
        created_at: at,
        updated_at: at,
        email,
      },
    ],
    created_at: at,
    updated_at: at,
    is_anonymous: false,
  }
}
