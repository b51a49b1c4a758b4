// Tests staff actions that change a person's access and mail a link to the person. tests/wire/rest/access.test.ts tests
// the other actions.
import { describe, expect, inject, test } from 'vitest'
import { newEmail } from '#testing/population.ts'
import {
  type Person,
  administrator,
  newClient,
  signIn,
  signUpCustomer,
  signUpUnconfirmed,
} from '#tests/wire/people.ts'
import { followLink, readMails, tokenIn, waitForMail } from '#tests/wire/mails.ts'
import { invoke, newUser } from './invoke.ts'

const office = await administrator()

const change = (action: string, userId: unknown, more: object = {}) =>
  invoke(office.client, 'manage-users', { action, userId, ...more })
const actionsOn = async (target: string) =>
  (
    (await office.client.from('audit_entries').select('action').eq('target', target).order('id')).data ?? []
  ).map(({ action }) => String(action))

test('staff cannot send a link to a blocked person who has signed in before', async () => {
  const { id } = await signUpCustomer()
  await office.client.rpc('block_user', { user_id: id, reason: 'other' }).throwOnError()

  expect(await change('resend', id)).toEqual({
    status: 409,
    body: { error: 'El acceso de esta persona está bloqueado.' },
  })
})

test('staff cannot change a person’s address to an address that is already taken', async () => {
  const [person, other] = [await signUpCustomer(), await signUpCustomer()]

  expect(await change('change_email', person.id, { email: other.email.toUpperCase() })).toEqual({
    status: 422,
    body: { error: 'Ya existe un usuario con ese email.' },
  })
})

test('a customer cannot request mailed links, and an administrator cannot request links for their own account', async () => {
  const [person, other] = [await signUpCustomer(), await signUpCustomer()]
  const orders = [
    ['resend', {}],
    ['change_email', { email: newEmail() }],
  ] as const

  for (const [action, more] of orders) {
    expect(await change(action, office.id, more)).toEqual({
      status: 403,
      body: { error: 'No puedes cambiar tu propio acceso desde aquí.' },
    })
    expect((await change(action, crypto.randomUUID(), more)).status).toBe(404)
    expect(await invoke(person.client, 'manage-users', { action, userId: other.id, ...more })).toEqual({
      status: 403,
      body: { error: 'Solo un administrador puede hacer esto.' },
    })
  }
  expect(await actionsOn(other.id)).toEqual([])
})

// On a hosted project the platform sends all mails, but it does not send notices about staff actions.
describe.skipIf(inject('server').functionsBy === 'deno')('on our own server', () => {
  test('a person gets a mailed invitation to choose a password when staff create their account', async () => {
    const user = newUser()
    await invoke(office.client, 'manage-users', user)

    const { text } = await waitForMail(user.email)
    expect(text).toContain('Para aceptarla y elegir tu contraseña, abre este enlace.')
    await expect(signIn(user)).resolves.toBeDefined()
    const guest = await press(user.email)
    expect((await guest.auth.updateUser({ password: 'la que yo elijo' })).error).toBeNull()
    await expect(signIn({ ...user, password: 'la que yo elijo' })).resolves.toBeDefined()
  })

  test('staff can send a link for a new password to a person who has signed in, only to the confirmed address', async () => {
    const person = await signUpCustomer()
    const mailsBefore = (await readMails(person.email)).length

    expect((await change('resend', person.id)).body).toEqual({ id: person.id })

    const { text } = await waitForMail(person.email, mailsBefore + 1)
    expect(text).toContain('El banco te envía este enlace para restablecer tu contraseña')
    await expect(signIn(person)).resolves.toBeDefined()
    const guest = await press(person.email, mailsBefore + 1)
    expect((await guest.auth.updateUser({ password: 'la que yo elijo' })).error).toBeNull()
    await expect(signIn({ ...person, password: 'la que yo elijo' })).resolves.toBeDefined()
    expect(await actionsOn(person.id)).toContain('send_link')
  })

  test('staff can resend an invitation or confirmation, which voids the earlier link', async () => {
    const invited = newUser()
    const { body } = await invoke(office.client, 'manage-users', invited)
    const waiting = await signUpUnconfirmed()
    const { link: first } = await waitForMail(waiting.email)
    const { data } = await office.client
      .from('profiles')
      .select('id,user_safe!inner(email)')
      .eq('user_safe.email', waiting.email)
      .single()

    expect((await change('resend', body['id'])).status).toBe(200)
    expect((await change('resend', data?.id)).status).toBe(200)

    expect((await waitForMail(invited.email, 2)).text).toContain('Aceptar la invitación')
    expect((await waitForMail(waiting.email, 2)).text).toContain('Confirmar mi cuenta')
    expect((await followLink(first)).errorCode).toBe('otp_expired')
    await press(waiting.email, 2)
    await expect(signIn(waiting)).resolves.toBeDefined()
  })

  describe('a change of address', () => {
    const askFor = async (person: { id: string; email: string }) => {
      const next = newEmail()
      expect((await change('change_email', person.id, { email: next })).status).toBe(200)
      return {
        next,
        confirm: (await waitForMail(next)).link,
        cancel: (await waitForMail(person.email, 2)).link,
      }
    }
    const follow = (link: string) =>
      newClient().auth.verifyOtp({ token_hash: tokenIn(link).token_hash, type: 'email_change' })
    const newEmailOf = async ({ client }: Pick<Person, 'client'>) =>
      (await client.auth.getUser()).data.user?.new_email

    test('takes effect only when the customer accepts it after a recent sign-in, and the mailed link opens no session', async () => {
      const person = await signUpCustomer()
      const { next, confirm } = await askFor(person)

      expect(await follow(confirm)).toMatchObject({ data: { user: null, session: null }, error: null })
      // The link must not open a session, even if the person follows it like a sign-in link.
      expect((await followLink(confirm)).fragment.get('access_token')).toBe(null)
      await expect(signIn({ ...person, email: next })).rejects.toThrow()
      expect(await newEmailOf(person)).toBe(next)

      const other = await signIn(person)
      const accepted = await other.client.auth.updateUser({ email: next })
      expect(accepted).toMatchObject({ error: null, data: { user: { email: next } } })
      await expect(signIn({ ...person, email: next })).resolves.toBeDefined()
      await expect(signIn(person)).rejects.toThrow()
      expect(subjectOf((await mailsTo(person.email, 3)).at(-1))).toContain('cambió')
      expect(await readMails(next)).toHaveLength(1)
    })

    test('can be cancelled without a sign-in, through a link mailed to the current address', async () => {
      const person = await signUpCustomer()
      const { next, confirm, cancel } = await askFor(person)
      await follow(confirm)

      expect(await follow(cancel)).toMatchObject({ data: { user: null, session: null }, error: null })

      expect((await follow(confirm)).error).toMatchObject({ status: 403, code: 'otp_expired' })
      expect(await newEmailOf(person)).toBe(undefined)
      expect((await newClient().auth.resend({ type: 'email_change', email: person.email })).error).toBe(null)
      expect(await readMails(next)).toHaveLength(1)
    })

    test('is recorded in the audit with an HMAC of the address instead of the address itself', async () => {
      const person = await signUpCustomer()
      const { next } = await askFor(person)

      const { data } = await office.client.from('audit_entries').select('*').eq('target', person.id)

      expect(data).toMatchObject([
        { after: { address_mac: expect.stringMatching(/^[0-9a-f]{64}$/) as string } },
      ])
      expect(JSON.stringify(data)).not.toContain(next)
    })
  })
})

// These tests describe a hosted project. In contrast, our own server sends invitations, and makes a change of address
// wait until the new address is confirmed.
describe.skipIf(inject('server').functionsBy === 'server')('in Deno', () => {
  test('a new address takes effect at once, and the audit records the intent and the result', async () => {
    const person = await signUpCustomer()
    const next = newEmail()

    expect((await change('change_email', person.id, { email: next })).status).toBe(200)

    await expect(signIn({ ...person, email: next })).resolves.toBeDefined()
    expect(await actionsOn(person.id)).toEqual(expect.arrayContaining(['begin_email_change', 'set_email']))
  })

  test('staff can send a link to reset the password to a person whose account they created', async () => {
    const user = newUser()
    const { body } = await invoke(office.client, 'manage-users', user)

    expect((await change('resend', body['id'])).status).toBe(200)

    expect((await waitForMail(user.email)).text).toContain('Elegir una contraseña nueva')
  })
})

/** Waits until the address has received `count` mails and returns the mails. */
async function mailsTo(email: string, count: number): Promise<string[]> {
  await expect.poll(async () => (await readMails(email)).length).toBe(count)
  return readMails(email)
}

/** Posts the token of the link in the `count`-th mail to the address, as the button on the page does. */
async function press(email: string, count = 1): Promise<Person['client']> {
  const client = newClient()
  const { error } = await client.auth.verifyOtp(tokenIn((await waitForMail(email, count)).link))
  if (error !== null) throw error
  return client
}

function subjectOf(mail = ''): string {
  const encoded = /^Subject: ((?:.|\r?\n )+)/m.exec(mail)?.[1] ?? ''
  return encoded
    .replaceAll(/\r?\n /g, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text: string) =>
      decodeURIComponent(text.replaceAll('_', ' ').replaceAll('%', '%25').replaceAll('=', '%')),
    )
}
