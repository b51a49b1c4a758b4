// Acts of staff on a person's access, and the person's mails about them.
import type { EmailOtpType } from '@supabase/supabase-js'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { addApp } from '#tests/wire/authenticator-app.ts'
import {
  type Person,
  administrator,
  followLink,
  newClient,
  newEmail,
  readMails,
  signIn,
  signUpCustomer,
  signUpUnconfirmed,
  waitForMail,
} from '#tests/wire/people.ts'
import { invoke, newUser } from './invoke.ts'

let office: Person

beforeAll(async () => {
  office = await administrator()
})

/** The parts of an order besides its action and its person. */
const bodyOf = (action: string) => (action === 'block' ? { reason: 'other' } : {})
const change = (action: string, userId: unknown, more: object = {}, headers = {}) =>
  invoke(office.client, 'manage-users', { action, userId, ...more }, headers)
const actionsOn = async (target: string) =>
  (
    (await office.client.from('audit_entries').select('action').eq('target', target).order('id')).data ?? []
  ).map(({ action }) => String(action))
const status = async ({ client }: Pick<Person, 'client'>) =>
  (await client.from('budgets').select('balance')).status

test('a blocked person is out at once and cannot sign in, until they are unblocked', async () => {
  const person = await signUpCustomer()

  expect(await change('block', person.id, { hours: 24, reason: 'suspected_fraud' })).toEqual({
    status: 200,
    body: { id: person.id },
  })

  expect(await status(person)).toBe(401)
  const { error } = await newClient().auth.signInWithPassword(person)
  expect(error).toMatchObject({ status: 400, code: 'user_banned' })
  expect((await change('unblock', person.id)).status).toBe(200)
  expect(await status(await signIn(person))).toBe(200)
  expect(await actionsOn(person.id)).toEqual(['ban_user', 'unban_user'])
})

test('staff end every session of a person, who signs in again', async () => {
  const person = await signUpCustomer()
  const second = await signIn(person)

  expect((await change('end_sessions', person.id)).status).toBe(200)

  expect([await status(person), await status(second)]).toEqual([401, 401])
  expect(await status(await signIn(person))).toBe(200)
  expect(await actionsOn(person.id)).toEqual(['revoke_sessions'])
})

test('a person whose second factor was reset signs in by password alone', async () => {
  const person = await signUpCustomer()
  await addApp(person)
  expect(await status(await signIn(person))).toBe(403)

  expect((await change('reset_factor', person.id)).status).toBe(200)

  expect(await status(person)).toBe(401)
  expect(await status(await signIn(person))).toBe(200)
  expect(await actionsOn(person.id)).toEqual(['reset_factor'])
})

test('a person who has been in their account gets no second invitation', async () => {
  const { id } = await signUpCustomer()

  expect(await change('resend', id)).toEqual({
    status: 409,
    body: { error: expect.stringContaining('Esta persona ya entró a su cuenta') },
  })
})

test('an address that is taken is refused in a sentence', async () => {
  const [person, other] = [await signUpCustomer(), await signUpCustomer()]

  expect(await change('change_email', person.id, { email: other.email.toUpperCase() })).toEqual({
    status: 422,
    body: { error: 'Ya existe un usuario con ese email.' },
  })
})

test('no administrator acts on themself, and none takes the factor or the address of another one', async () => {
  const colleague = newUser({ role: 'admin' })
  const { body } = await invoke(office.client, 'manage-users', colleague)
  const { data } = await office.client.auth.getUser()

  for (const action of ['block', 'unblock', 'end_sessions', 'reset_factor', 'resend', 'cancel_email_change'])
    expect(await change(action, data.user?.id, bodyOf(action))).toEqual({
      status: 409,
      body: { error: 'No puedes cambiar tu propio acceso desde aquí.' },
    })
  for (const [action, more] of [
    ['reset_factor', {}],
    ['change_email', { email: newEmail() }],
  ] as const)
    expect(await change(action, body['id'], more)).toEqual({
      status: 409,
      body: {
        error:
          'No puedes cambiarlo de quien es administrador, o lo fue en los últimos 30 días: lo hace el operador del banco.',
      },
    })
})

test('a customer acts on nobody, and a body that is wrong in one thing has no effect', async () => {
  const [person, other] = [await signUpCustomer(), await signUpCustomer()]

  for (const action of ['block', 'unblock', 'end_sessions', 'reset_factor', 'resend', 'cancel_email_change'])
    expect(
      await invoke(person.client, 'manage-users', { action, userId: other.id, ...bodyOf(action) }),
    ).toEqual({
      status: 403,
      body: { error: 'Solo un administrador puede hacer esto.' },
    })
  expect((await change('block', other.id, { hours: 0, reason: 'other' })).status).toBe(400)
  for (const reason of [undefined, '', 'porque sí'])
    expect((await change('block', other.id, { reason })).status).toBe(400)
  expect((await change('end_sessions', other.id, { hours: 1 })).status).toBe(400)
  expect((await change('unblock', crypto.randomUUID())).status).toBe(404)
  expect([await status(other), await actionsOn(other.id)]).toEqual([200, []])
})

test('a call that is sent twice with its key takes effect once', async () => {
  const person = await signUpCustomer()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }

  const first = await change('end_sessions', person.id, {}, headers)
  const again = await signIn(person)
  const second = await change('end_sessions', person.id, {}, headers)

  expect(second).toEqual(first)
  expect(await status(again)).toBe(200)
  expect(await actionsOn(person.id)).toEqual(['revoke_sessions'])
})

// On a hosted project mails are the platform's, and it sends none about what staff did.
describe.skipIf(inject('server').functionsBy === 'deno')('by mail', () => {
  test('a person whom staff create is invited to choose a password', async () => {
    const user = newUser()
    await invoke(office.client, 'manage-users', user)

    const { text } = await waitForMail(user.email)
    expect(text).toContain('Para aceptarla y elegir tu contraseña, abre este enlace.')
    await expect(signIn(user)).resolves.toBeDefined()
    const guest = await press(user.email)
    expect((await guest.auth.updateUser({ password: 'la que yo elijo' })).error).toBeNull()
    await expect(signIn({ ...user, password: 'la que yo elijo' })).resolves.toBeDefined()
  })

  test('an invitation and a confirmation are sent again, and the links before are worthless', async () => {
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

  describe('another address', () => {
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
      newClient().auth.verifyOtp({ token_hash: tokenOf(link).token_hash, type: 'email_change' })
    const newEmailOf = async ({ client }: Pick<Person, 'client'>) =>
      (await client.auth.getUser()).data.user?.new_email

    test('signs nobody in by its mailbox, and counts once its owner takes it with a proof', async () => {
      const person = await signUpCustomer()
      const { next, confirm } = await askFor(person)

      expect(await follow(confirm)).toMatchObject({ data: { user: null, session: null }, error: null })
      // Neither does a client that follows the link as one that signs in.
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

    test('is cancelled by the link to the present one, without signing in', async () => {
      const person = await signUpCustomer()
      const { next, confirm, cancel } = await askFor(person)
      await follow(confirm)

      expect(await follow(cancel)).toMatchObject({ data: { user: null, session: null }, error: null })

      expect((await follow(confirm)).error).toMatchObject({ status: 403, code: 'otp_expired' })
      expect(await newEmailOf(person)).toBe(undefined)
      expect((await newClient().auth.resend({ type: 'email_change', email: person.email })).error).toBe(null)
      expect(await readMails(next)).toHaveLength(1)
    })

    test('is seen by staff while it waits, and cancelled by them', async () => {
      const person = await signUpCustomer()
      const waiting = async () => {
        const { data } = await office.client.rpc('open_customer', { user_id: person.id })
        return (data as { email_change: object | null }).email_change
      }
      const { next } = await askFor(person)
      expect(await waiting()).toMatchObject({ email: next, is_confirmed: false })

      expect((await change('cancel_email_change', person.id)).status).toBe(200)

      expect(await waiting()).toBe(null)
      expect(await change('cancel_email_change', person.id)).toEqual({
        status: 409,
        body: { error: 'No hay ningún cambio de email en espera.' },
      })
      expect(await actionsOn(person.id)).toEqual([
        'begin_email_change',
        'read_customer',
        'cancel_email_change',
        'read_customer',
      ])
      expect(subjectOf((await mailsTo(person.email, 3)).at(-1))).toContain('Cancelamos')
    })

    test('is in the audit as an HMAC, never in clear', async () => {
      const person = await signUpCustomer()
      const { next } = await askFor(person)

      const { data } = await office.client.from('audit_entries').select('*').eq('target', person.id)

      expect(data).toMatchObject([
        { after: { address_mac: expect.stringMatching(/^[0-9a-f]{64}$/) as string } },
      ])
      expect(JSON.stringify(data)).not.toContain(next)
    })
  })

  test.each([
    ['block', 'Bloqueamos tu cuenta'],
    ['unblock', 'está desbloqueada'],
    ['end_sessions', 'Cerramos tus sesiones'],
    ['reset_factor', 'Quitamos la verificación en dos pasos'],
  ])('%s is told to the person, once', async (action, subject) => {
    const person = await signUpCustomer()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const before = action === 'unblock' ? 2 : 1
    // An act that changes nothing sends no mail.
    if (action === 'unblock') await change('block', person.id, { reason: 'other' })

    await change(action, person.id, bodyOf(action), headers)
    await change(action, person.id, bodyOf(action), headers)

    await expect.poll(() => readMails(person.email)).toHaveLength(before + 1)
    expect(subjectOf((await readMails(person.email))[before])).toContain(subject)
  })
})

// Our own server waits for the mailbox, and invites.
describe.skipIf(inject('server').functionsBy === 'server')('in Deno', () => {
  test('another address counts at once, and the intent and the result are in the audit', async () => {
    const person = await signUpCustomer()
    const next = newEmail()

    expect((await change('change_email', person.id, { email: next })).status).toBe(200)

    await expect(signIn({ ...person, email: next })).resolves.toBeDefined()
    expect(await actionsOn(person.id)).toEqual(expect.arrayContaining(['begin_email_change', 'set_email']))
  })

  test('a person whom staff created gets the link to another password', async () => {
    const user = newUser()
    const { body } = await invoke(office.client, 'manage-users', user)

    expect((await change('resend', body['id'])).status).toBe(200)

    expect((await waitForMail(user.email)).text).toContain('Elegir una contraseña nueva')
  })
})

/** The mails to the address, once there are so many. */
async function mailsTo(email: string, count: number): Promise<string[]> {
  await expect.poll(async () => (await readMails(email)).length).toBe(count)
  return readMails(email)
}

/** As the page does behind the link of the `count`-th mail to the address: the button posts the token. */
async function press(email: string, count = 1): Promise<Person['client']> {
  const client = newClient()
  const { error } = await client.auth.verifyOtp(tokenOf((await waitForMail(email, count)).link))
  if (error !== null) throw error
  return client
}

function tokenOf(link: string) {
  const fragment = new URL(link).hash.slice(1)
  const { token_hash = '', type } = Object.fromEntries(new URLSearchParams(fragment))
  return { token_hash, type: type as EmailOtpType }
}

function subjectOf(mail = ''): string {
  const encoded = /^Subject: ((?:.|\r?\n )+)/m.exec(mail)?.[1] ?? ''
  return encoded
    .replaceAll(/\r?\n /g, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text: string) =>
      decodeURIComponent(text.replaceAll('_', ' ').replaceAll('%', '%25').replaceAll('=', '%')),
    )
}
