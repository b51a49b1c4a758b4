// Passkeys as second factors (security.md AN-16; WebAuthn level 3, sections 7.1 and 7.2), tested with the client
// library.
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import {
  type CreationOptions,
  type Faults,
  type RequestOptions,
  SoftwarePasskey,
} from '#server/people/testing/software-passkey.ts'
import { addApp } from '#tests/wire/authenticator-app.ts'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { type Person, claimsOf, newClient, signIn, signUpCustomer } from '#tests/wire/people.ts'
import { readMails, tokenIn, waitForMail } from '#tests/wire/mails.ts'
import { onPostgres, signedInLongAgo } from './passing-time.ts'
import { rawAuth } from './raw-auth.ts'

// The server uses its default site address, although the tests connect to 127.0.0.1.
const origin = `http://localhost:${new URL(inject('server').url).port}`
const hostname = 'localhost'
const site = { rpId: hostname, rpOrigins: [origin] }
const refused = { status: 422, code: 'mfa_verification_failed' }

/** Requests a challenge for a factor. Returns the challenge, which includes the options for the browser. */
async function ask({ auth }: SupabaseClient, factorId: string) {
  const { data, error } = await auth.mfa.challenge({ factorId, webauthn: site })
  if (error !== null || data.type !== 'webauthn') throw new Error('Nothing was asked.', { cause: error })
  return data
}

async function begin({ auth }: SupabaseClient, friendlyName = 'Mi portátil'): Promise<string> {
  const { data, error } = await auth.mfa.enroll({ factorType: 'webauthn', friendlyName })
  if (error !== null) throw new Error('The passkey was not begun.', { cause: error })
  return data.id
}

/** Confirms a factor with a new passkey. */
async function make(client: SupabaseClient, factorId: string, passkey: SoftwarePasskey, faults: Faults = {}) {
  return client.auth.mfa.verify(newPasskey(factorId, await ask(client, factorId), passkey, faults))
}

/** Answers a challenge with a new passkey. */
function newPasskey(
  factorId: string,
  { id: challengeId, webauthn }: Awaited<ReturnType<typeof ask>>,
  passkey: SoftwarePasskey,
  faults: Faults = {},
) {
  if (webauthn.type !== 'create') throw new Error('It counts already.')
  const credential = passkey.make(webauthn.credential_options.publicKey, faults)
  return {
    factorId,
    challengeId,
    webauthn: { type: 'create', ...site, credential_response: credential as never },
  } as const
}

/** Answers a challenge with an existing passkey. */
async function show(client: SupabaseClient, factorId: string, passkey: SoftwarePasskey, faults: Faults = {}) {
  const { id, webauthn } = await ask(client, factorId)
  if (webauthn.type !== 'request') throw new Error('It does not count yet.')
  return answer(client, {
    factorId,
    challengeId: id,
    credential: passkey.show(webauthn.credential_options.publicKey, faults),
  })
}

function answer(
  { auth }: SupabaseClient,
  { factorId, challengeId, credential }: { factorId: string; challengeId: string; credential: unknown },
) {
  return auth.mfa.verify({
    factorId,
    challengeId,
    webauthn: { type: 'request', ...site, credential_response: credential as never },
  })
}

async function addPasskey({ client }: Pick<Person, 'client'>, friendlyName?: string) {
  const passkey = new SoftwarePasskey(origin)
  const factorId = await begin(client, friendlyName)
  const { error } = await make(client, factorId, passkey)
  if (error !== null) throw new Error('The passkey was refused.', { cause: error })
  return { passkey, factorId }
}

async function signUpWithPasskey() {
  const person = await signUpCustomer()
  const added = await addPasskey(person)
  return { ...person, ...added, halfway: await signIn(person) }
}

test('a passkey challenge contains the configured site and the person, and requires no certificate', async () => {
  const { client, email, id } = await signUpCustomer()
  const factorId = await begin(client)

  const { data } = await client.auth.mfa.challenge({
    factorId,
    webauthn: { rpId: 'elsewhere.example', rpOrigins: ['https://elsewhere.example'] },
  })

  const options =
    data?.type === 'webauthn' && data.webauthn.type === 'create'
      ? data.webauthn.credential_options.publicKey
      : null
  expect(options).toMatchObject({
    rp: { id: hostname, name: 'Banco Finanzas' },
    user: { name: email, displayName: 'Ana Pérez' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
  })
  expect(Buffer.from(options?.user.id as ArrayBuffer).toString()).toBe(id)
  expect(Buffer.from(options?.challenge as ArrayBuffer)).toHaveLength(32)
  expect(data?.expires_at).toBeGreaterThan(Date.now() / 1000 + 240)
  // The factor must stay unverified until the passkey is created.
  expect((await client.auth.getUser()).data.user?.factors).toMatchObject([
    { id: factorId, factor_type: 'webauthn', friendly_name: 'Mi portátil', status: 'unverified' },
  ])
  expect((await client.from('budgets').select('balance').single()).error).toBe(null)
})

test('adding a passkey raises the session to aal2 and ends other sessions, and the next sign-in requires the passkey', async () => {
  const person = await signUpCustomer()
  const elsewhere = await signIn(person)
  const { passkey, factorId } = await addPasskey(person)
  const { data } = await person.client.auth.getSession()
  expect(claimsOf(data.session?.access_token)).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/webauthn' }, { method: 'otp' }],
  })
  expect((await elsewhere.client.auth.getUser()).error).not.toBe(null)
  expect((await person.client.auth.mfa.listFactors()).data?.webauthn).toMatchObject([
    { id: factorId, status: 'verified' },
  ])

  const { client } = await signIn(person)
  expect((await client.from('budgets').select('balance')).error).toMatchObject({ code: '42501' })
  const asked = await ask(client, factorId)
  const options = asked.webauthn.type === 'request' ? asked.webauthn.credential_options.publicKey : null
  expect(options).toMatchObject({ rpId: hostname, userVerification: 'preferred' })
  expect(options?.allowCredentials).toMatchObject([{ type: 'public-key', transports: ['internal'] }])

  const { error } = await show(client, factorId, passkey)

  expect(error).toBe(null)
  const session = (await client.auth.getSession()).data.session
  expect(claimsOf(session?.access_token)).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
  })
  expect((await client.from('budgets').select('balance').single()).error).toBe(null)
  await expect.poll(() => readMails(person.email)).toHaveLength(2)
  expect((await readMails(person.email))[1]).toContain('acaba de recibir una llave de acceso')
})

test('the client’s WebAuthn calls can add and verify a passkey', async () => {
  const person = await signUpCustomer()
  const elsewhere = await signUpCustomer()
  const passkey = new SoftwarePasskey(origin)
  const asked: CreationOptions[] = []
  // The client library checks that the browser's answer is an instance of this class.
  function PublicKeyCredential(): void {}
  const instanceOf = (answer: object): unknown => Object.setPrototypeOf(answer, PublicKeyCredential.prototype)
  const browser = {
    create: ({ publicKey }: { publicKey: CreationOptions }) => {
      asked.push(publicKey)
      return instanceOf(passkey.make(publicKey))
    },
    get: ({ publicKey }: { publicKey: RequestOptions }) => instanceOf(passkey.show(publicKey)),
  }
  const signedIn = await signIn(elsewhere)
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential)
  vi.stubGlobal('window', { PublicKeyCredential, location: { hostname, origin } })
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', { credentials: browser })
  onTestFinished(() => void vi.unstubAllGlobals())

  const registered = await person.client.auth.mfa.webauthn.register({ friendlyName: 'Mi portátil' })
  const factorId = registered.data?.user.factors?.[0]?.id ?? ''
  const shown = await person.client.auth.mfa.webauthn.authenticate({ factorId })

  expect([registered.error, shown.error]).toEqual([null, null])
  // The client library's default, `direct`, requests certificates. The server's value must override this default.
  expect(asked).toMatchObject([{ attestation: 'none' }])
  expect(claimsOf(shown.data?.access_token)).toMatchObject({ aal: 'aal2' })
  expect((await signedIn.client.auth.mfa.webauthn.authenticate({ factorId })).error).toMatchObject({
    status: 404,
    code: 'mfa_factor_not_found',
  })
})

test('a challenge accepts only one answer, which must come from its own session and factor', async () => {
  const { halfway, factorId, passkey, client: whole, ...person } = await signUpWithPasskey()
  const other = await signIn(person)
  const asked = await ask(halfway.client, factorId)
  const options =
    asked.webauthn.type === 'request' ? asked.webauthn.credential_options.publicKey : { challenge: '' }
  const challengeId = asked.id
  const credential = passkey.show(options)
  const second = await begin(whole, 'Otra')

  const elsewhere = await answer(other.client, { factorId, challengeId, credential })
  const otherFactor = await answer(halfway.client, { factorId: second, challengeId, credential })
  const wrong = await answer(halfway.client, {
    factorId,
    challengeId,
    credential: passkey.show(options, { type: 'webauthn.create' }),
  })
  const late = await answer(halfway.client, { factorId, challengeId, credential: passkey.show(options) })

  expect(elsewhere.error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
  expect(otherFactor.error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
  expect(wrong.error).toMatchObject(refused)
  expect(late.error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
  expect((await show(halfway.client, factorId, passkey)).error).toBe(null)
})

test('a copied passkey with an older counter is refused', async () => {
  const { factorId, passkey, ...person } = await signUpWithPasskey()
  const { client: first } = await signIn(person)
  expect((await show(first, factorId, passkey, { counter: 7 })).error).toBe(null)

  const { client } = await signIn(person)
  expect((await show(client, factorId, passkey, { counter: 6 })).error).toMatchObject(refused)
  expect((await client.from('budgets').select('balance')).error).toMatchObject({ code: '42501' })
})

test('a customer cannot use, challenge or confirm another customer’s passkey', async () => {
  const { halfway, factorId, passkey } = await signUpWithPasskey()
  const other = await signUpWithPasskey()

  expect((await show(halfway.client, factorId, other.passkey)).error).toMatchObject(refused)
  const asked = await rawAuth('POST', `/factors/${factorId}/challenge`, {
    body: {},
    token: other.session.access_token,
  })
  expect([asked.status, asked.body]).toMatchObject([404, { code: 'mfa_factor_not_found' }])
  const thief = await signUpCustomer()
  expect((await make(thief.client, await begin(thief.client), passkey)).error).toMatchObject(refused)
})

test('a newly created passkey cannot answer a request for an existing passkey', async () => {
  const { halfway, factorId } = await signUpWithPasskey()
  const { id, webauthn } = await ask(halfway.client, factorId)
  const { challenge } = webauthn.credential_options.publicKey
  const made = new SoftwarePasskey(origin).make({ challenge, rp: { id: hostname }, user: { id: '' } })

  const { error } = await halfway.client.auth.mfa.verify({
    factorId,
    challengeId: id,
    webauthn: { type: 'create', ...site, credential_response: made as never },
  })

  expect(error).toMatchObject(refused)
  expect(claimsOf((await halfway.client.auth.getSession()).data.session?.access_token).aal).toBe('aal1')
})

test('any passkey of the account is accepted, and removing another passkey does not end the session', async () => {
  const { client, factorId, passkey, ...person } = await signUpWithPasskey()
  const keyring = await addPasskey({ client }, 'Mi llavero')
  const { client: other } = await signIn(person)

  expect((await show(other, factorId, keyring.passkey)).error).toBe(null)

  await client.auth.mfa.unenroll({ factorId })
  expect((await other.from('budgets').select('balance').single()).error).toBe(null)
  const { client: third } = await signIn(person)
  expect((await show(third, keyring.factorId, passkey)).error).toMatchObject(refused)
})

test('a session cannot see or confirm a passkey that another session is adding', async () => {
  const owner = await signUpCustomer()
  const thief = await signIn(owner)
  const factorId = await begin(owner.client)

  expect((await thief.client.auth.getUser()).data.user).not.toHaveProperty('factors')
  const refused = { status: 404, code: 'mfa_factor_not_found' }
  const asked = await thief.client.auth.mfa.challenge({ factorId, webauthn: site })
  expect(asked.error).toMatchObject(refused)
  expect((await thief.client.auth.mfa.unenroll({ factorId })).error).toMatchObject(refused)
  const question = await ask(owner.client, factorId)
  const answered = await thief.client.auth.mfa.verify(
    newPasskey(factorId, question, new SoftwarePasskey(origin)),
  )
  expect(answered.error).toMatchObject(refused)
  expect((await make(owner.client, factorId, new SoftwarePasskey(origin))).error).toBe(null)
})

test('a session can reuse the name of another session’s unconfirmed passkey', async () => {
  const person = await signUpCustomer()
  await begin(person.client, 'Mi llavero')

  await addPasskey(await signIn(person), 'Mi llavero')
})

onPostgres('a passkey cannot be confirmed without a recent proof or after ten minutes', async () => {
  const { client, id, password } = await signUpCustomer()
  const factorId = await begin(client)
  const made = newPasskey(factorId, await ask(client, factorId), new SoftwarePasskey(origin))
  const finish = () => client.auth.mfa.verify(made)
  await signedInLongAgo({ id })

  const needsProof = { status: 400, code: 'reauthentication_needed' }
  expect((await finish()).error).toMatchObject(needsProof)
  const asked = await client.auth.mfa.challenge({ factorId, webauthn: site })
  expect(asked.error).toMatchObject(needsProof)

  expect((await client.auth.updateUser({ current_password: password })).error).toBe(null)
  await runAsOwner(
    `update auth.mfa_factors set created_at = now() - interval '10 minutes' where id = '${factorId}'`,
  )
  expect((await finish()).error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
  expect((await client.auth.getUser()).data.user).not.toHaveProperty('factors')
  await runAsOwner(`update auth.mfa_factors set created_at = now() where id = '${factorId}'`)
  expect((await finish()).error).toBe(null)
})

test('simultaneous answers confirm a passkey once and send one mail with a working link', async () => {
  const person = await signUpCustomer()
  const factorId = await begin(person.client)
  const questions = [await ask(person.client, factorId), await ask(person.client, factorId)]
  const passkey = new SoftwarePasskey(origin)
  const answers = questions.map((question) => newPasskey(factorId, question, passkey))

  const verified = await Promise.all(answers.map((answer) => person.client.auth.mfa.verify(answer)))

  expect(verified.filter(({ error }) => error === null)).toHaveLength(1)
  const { link } = await waitForMail(person.email, 2)
  const { token_hash } = tokenIn(link)
  const undone = await newClient().auth.verifyOtp({ type: 'recovery', token_hash })
  expect(undone).toMatchObject({ error: null, data: { session: null } })
  expect(await readMails(person.email)).toHaveLength(2)
})

test('recovery codes remain valid while a passkey remains, and the owner gets a mail when the passkey is removed', async () => {
  const { client, factorId: app, email, password } = await signUpWithAppAndCodes()
  const { passkey, factorId } = await addPasskey({ client })

  await client.auth.mfa.unenroll({ factorId: app })
  const { client: again } = await signIn({ email, password })
  expect((await again.from('budgets').select('balance')).error).toMatchObject({ code: '42501' })
  expect((await show(again, factorId, passkey)).error).toBe(null)
  expect((await again.auth.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10 })

  expect((await again.auth.mfa.unenroll({ factorId })).error).toBe(null)
  expect((await again.auth.getUser()).data.user).not.toHaveProperty('factors')
  await expect
    .poll(async () => (await readMails(email)).at(-1))
    .toContain('ya no usa una de sus llaves de acceso')
})

async function signUpWithAppAndCodes() {
  const person = await signUpCustomer()
  const { factorId } = await addApp(person)
  await person.client.auth.mfa.recoveryCodes.generate()
  return { ...person, factorId }
}

onPostgres('a challenge is valid for five minutes', async () => {
  const { halfway, factorId, passkey } = await signUpWithPasskey()
  const { id, webauthn } = await ask(halfway.client, factorId)
  await runAsOwner(
    `update auth.mfa_challenges set expires_at = expires_at - interval '5 minutes' where id = '${id}'`,
  )

  const credential = passkey.show(webauthn.credential_options.publicKey)

  expect((await answer(halfway.client, { factorId, challengeId: id, credential })).error).toMatchObject({
    status: 422,
    code: 'mfa_challenge_expired',
  })
})
