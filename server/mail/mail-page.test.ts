import { expect, test } from 'vitest'
import { confirmationMail } from './confirmation-mail.ts'
import { recoveryMail } from './recovery-mail.ts'

const letter = {
  to: 'ana@banco.example',
  link: 'https://banco.example/auth/v1/verify?token=abc&type=signup',
  brandName: '<b>Banco & "Hijos"</b>',
}

test.each([
  ['confirmation', confirmationMail],
  ['recovery', recoveryMail],
])('the %s mail has its link on a line of its own, and in the button', (_, write) => {
  const { text, html } = write(letter)

  expect(text.split('\n')).toContain(letter.link)
  expect(html).toContain(`href="${letter.link.replaceAll('&', '&amp;')}"`)
})

test.each([
  ['confirmation', confirmationMail],
  ['recovery', recoveryMail],
])('nothing in the %s mail is taken for markup', (_, write) => {
  const { html } = write(letter)

  expect(html).not.toContain('<b>')
  expect(html).toContain('&lt;b&gt;Banco &amp; &quot;Hijos&quot;&lt;/b&gt;')
})
