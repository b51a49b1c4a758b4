// An attacker's sign-up with an address before its owner's must not set the owner's password (decision 0022).
import { expect, test } from 'vitest'
import { refusal } from '#tests/wire/client-version.ts'
import { followLink, newClient, newEmail, openSession, operator, waitForMail } from '#tests/wire/people.ts'

const attackers = 'la clave de otra persona'
const owners = 'la clave de la dueña'

async function signUp(email: string, password: string, fullName = 'Ana Pérez') {
  const { data } = await newClient().auth.signUp({
    email,
    password,
    options: { data: { full_name: fullName } },
  })
  return data.user
}

function signIn(email: string, password: string) {
  return newClient().auth.signInWithPassword({ email, password })
}

test.each([
  ['first', [attackers, owners]],
  ['last', [owners, attackers]],
])(
  'when the attacker signs up %s, neither password counts, and the link asks for one',
  async (_, passwords) => {
    const email = newEmail()
    for (const password of passwords) await signUp(email, password)

    const { fragment } = await followLink((await waitForMail(email, 2)).link)

    expect(fragment.get('type')).toBe('recovery')
    expect((await signIn(email, attackers)).error).toMatchObject(refusal(400, 'invalid_credentials'))
    expect((await signIn(email, owners)).error).toMatchObject(refusal(400, 'invalid_credentials'))
    const client = await openSession(fragment)
    expect((await client.auth.updateUser({ password: owners })).error).toBe(null)
    expect((await signIn(email, owners)).error).toBe(null)
  },
)

test.each(['recovery', 'magiclink'])(
  'a %s link to an address that nobody confirmed does not make the password of its sign-up count',
  async (type) => {
    const email = newEmail()
    await signUp(email, attackers)
    const client = newClient()
    if (type === 'recovery') await client.auth.resetPasswordForEmail(email)
    else await client.auth.signInWithOtp({ email })

    const { fragment } = await followLink((await waitForMail(email, 2)).link)

    expect(fragment.get('access_token')).not.toBe(null)
    expect((await signIn(email, attackers)).error).toMatchObject(refusal(400, 'invalid_credentials'))
  },
)

test("an operator's sign-up link makes the operator's password count, not the attacker's", async () => {
  const email = newEmail()
  await signUp(email, attackers)
  const { data } = await operator().auth.admin.generateLink({ type: 'signup', email, password: owners })

  const { fragment } = await followLink(data.properties?.action_link ?? '')

  expect(fragment.get('access_token')).not.toBe(null)
  expect((await signIn(email, attackers)).error).toMatchObject(refusal(400, 'invalid_credentials'))
  expect((await signIn(email, owners)).error).toBe(null)
})

test('who signs up with a waiting address reads nothing of who did before', async () => {
  const email = newEmail()
  await signUp(email, owners, 'Ana Pérez')

  const answer = await signUp(email, attackers, 'Otra Persona')

  expect(answer?.user_metadata).toEqual({ full_name: 'Otra Persona' })
  expect(JSON.stringify(answer)).not.toContain('Ana Pérez')
})
