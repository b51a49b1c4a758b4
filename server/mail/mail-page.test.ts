import { expect, test } from 'vitest'
import { confirmationMail } from './confirmation-mail.ts'
import { emailChangeMail } from './email-change-mail.ts'
import { invitationMail } from './invitation-mail.ts'
import { magicLinkMail } from './magic-link-mail.ts'
import { passwordChangedMail } from './password-changed-mail.ts'
import { reauthenticationMail } from './reauthentication-mail.ts'
import { recoveryMail } from './recovery-mail.ts'
import { secondFactorMail } from './second-factor-mail.ts'

const letter = {
  to: 'ana@banco.example',
  link: 'https://banco.example/auth/v1/verify?token=abc&type=signup',
  code: '048213',
  newEmail: "o'hara&co@banco.example",
  brandName: '<b>Banco & "Hijos"</b>',
}

const withLink = [
  ['confirmation', confirmationMail],
  ['recovery', recoveryMail],
  ['magic link', magicLinkMail],
  ['e-mail change', emailChangeMail],
  ['invitation', invitationMail],
] as const

const all = [
  ...withLink,
  ['reauthentication', reauthenticationMail],
  ['changed password', passwordChangedMail],
  ['second factor', (to: typeof letter) => secondFactorMail({ ...to, event: 'app added' })],
] as const

test.each(withLink)('the %s mail has its link on a line of its own, and in the button', (_, write) => {
  const { text, html } = write(letter)

  expect(text.split('\n')).toContain(letter.link)
  expect(html).toContain(`href="${letter.link.replaceAll('&', '&amp;')}"`)
})

test.each(all)('nothing in the %s mail is taken for markup', (_, write) => {
  const { html } = write(letter)

  expect(html).not.toContain('<b>')
  expect(html).toContain('&lt;b&gt;Banco &amp; &quot;Hijos&quot;&lt;/b&gt;')
  expect(html).not.toContain("o'hara&co")
})

test.each(all)('the %s mail leads nowhere but to the link that it was given', (_, write) => {
  const { text, html } = write(letter)

  const addresses = `${text}\n${html.replaceAll('&amp;', '&')}`.match(/[a-z]+:\/\/[^\s"<]+/g) ?? []
  expect(addresses.every((address) => address === letter.link)).toBe(true)
  expect(html).not.toMatch(/<(?:img|script|link|iframe)|url\(/)
})

test('the code stands on a line of its own, and notices hold no link', () => {
  expect(reauthenticationMail(letter).text.split('\n')).toContain(letter.code)
  expect(magicLinkMail(letter).text).toContain(`código ${letter.code} `)
  expect(passwordChangedMail(letter).text).not.toContain('://')
  for (const event of ['app added', 'app removed', 'recovery code used'] as const)
    expect(secondFactorMail({ ...letter, event }).text).not.toContain('://')
})
