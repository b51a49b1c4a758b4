// Where links lead: to the site, whatever the request says (security.md AN-09).
import { request } from 'node:http'
import { once } from 'node:events'
import { expect, inject, test } from 'vitest'
import { followLink, newEmail, signUpUnconfirmed, waitForMail } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

const password = 'una clave larga'

test('a page of the site may be asked for', async () => {
  const email = newEmail()
  const { origin } = new URL(inject('server').url)
  const redirectTo = encodeURIComponent(`${origin}/dashboard?welcome=1`)
  await rawAuth('POST', `/signup?redirect_to=${redirectTo}`, { body: { email, password } })

  const { page } = await followLink((await waitForMail(email)).link)

  expect(page).toBe(`${origin}/dashboard?welcome=1`)
})

// Which targets are refused: server/auth/links/redirect.test.ts.
test.each(['https://evil.example/', 'javascript:alert(1)'])('a link never leads to %s', async (target) => {
  const email = newEmail()
  await rawAuth('POST', `/signup?redirect_to=${encodeURIComponent(target)}`, { body: { email, password } })
  const link = new URL((await waitForMail(email)).link)
  expect(link.searchParams.get('redirect_to')).toBe(`${link.origin}/`)
  link.searchParams.set('redirect_to', target)

  const { page } = await followLink(link.href)

  expect(page).toBe(`${link.origin}/`)
})

test('the host that a request names does not get into the mail', async () => {
  const email = newEmail()
  const { url, anonKey } = inject('server')
  const signUp = request(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
      referer: 'https://evil.example/',
      apikey: anonKey,
    },
  })
  signUp.end(JSON.stringify({ email, password }))
  await once(signUp, 'response')

  const { text } = await waitForMail(email)

  expect(text).not.toContain('evil')
})

test('the page that opened a link does not decide where it leads', async () => {
  const { email } = await signUpUnconfirmed()
  const link = new URL((await waitForMail(email)).link)
  link.searchParams.delete('redirect_to')

  const { headers } = await fetch(link, {
    redirect: 'manual',
    headers: { referer: 'https://evil.example/', 'x-forwarded-host': 'evil.example' },
  })

  expect(headers.get('location')).toMatch(`${link.origin}/#access_token=`)
})
