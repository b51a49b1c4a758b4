import { expect, test } from 'vitest'
import {
  addressTakenMail,
  confirmationMail,
  emailChangeMail,
  invitationMail,
  magicLinkMail,
  passwordChangedMail,
  reauthenticationMail,
  recoveryMail,
  secondFactorMail,
} from './templates.ts'

const letter = {
  to: 'ana@banco.example',
  link: 'https://banco.example/auth/v1/verify?token=abc&type=signup',
  code: '048213',
  newEmail: "o'hara&co@banco.example",
  brandName: '<b>Banco & "Hijos"</b>',
  siteUrl: 'https://banco.example',
  supportContact: 'línea 601 555 0000',
  incident: {
    at: new Date('2026-11-22T11:08:00Z'),
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  },
}

const undoLink = 'https://banco.example/enlace#token_hash=abc&type=second_factor'
const end = { kind: 'end asked for', at: new Date('2026-11-25T11:08:00Z') } as const

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
  [
    'second factor',
    (to: typeof letter) => secondFactorMail({ ...to, event: { kind: 'app added' }, undoLink: to.link }),
  ],
  ['end of factors', (to: typeof letter) => secondFactorMail({ ...to, event: end, undoLink: null })],
  ['taken address', addressTakenMail],
] as const

test.each(withLink)('the %s mail has its link on a separate line and in the button', (_, write) => {
  const { text, html } = write(letter)

  expect(text.split('\n')).toContain(letter.link)
  expect(html).toContain(`href="${letter.link.replaceAll('&', '&amp;')}"`)
})

test.each(all)('the %s mail escapes markup in the texts that it contains', (_, write) => {
  const { html } = write(letter)

  expect(html).not.toContain('<b>')
  expect(html).toContain('&lt;b&gt;Banco &amp; &quot;Hijos&quot;&lt;/b&gt;')
  expect(html).not.toContain("o'hara&co")
})

test.each(all)('the %s mail contains no URL except its link and the site’s URL', (_, write) => {
  const { text, html } = write(letter)

  const addresses = `${text}\n${html.replaceAll('&amp;', '&')}`.match(/[a-z]+:\/\/[^\s"<]+/g) ?? []
  // The advice at the end of the mail contains the site's URL.
  const known = [letter.link, letter.siteUrl]
  expect(addresses.every((address) => known.includes(address.replace(/[,;.]$/, '')))).toBe(true)
  expect(html).not.toMatch(/<(?:img|script|link|iframe)|url\(/)
})

test('a mailed code has its own line, and a notice about an action that cannot be undone contains no link', () => {
  expect(reauthenticationMail(letter).text.split('\n')).toContain(letter.code)
  expect(magicLinkMail(letter).text).toContain(`código ${letter.code} `)
  const notices = [
    passwordChangedMail(letter),
    addressTakenMail(letter),
    ...(['app removed', 'recovery code used'] as const).map((kind) =>
      secondFactorMail({ ...letter, event: { kind }, undoLink: null }),
    ),
    secondFactorMail({ ...letter, event: end, undoLink: null }),
  ]
  for (const { text, html } of notices) {
    expect(text).not.toMatch(/^https?:/m)
    expect(html).not.toContain('href')
  }
})

test.each([
  ['changed password', passwordChangedMail(letter)],
  ['removed app', secondFactorMail({ ...letter, event: { kind: 'app removed' }, undoLink: null })],
  [
    'used recovery code',
    secondFactorMail({ ...letter, event: { kind: 'recovery code used' }, undoLink: null }),
  ],
  ['mailed code', reauthenticationMail(letter)],
  ['e-mail change', emailChangeMail(letter)],
])('the mail about a %s gives the time and the device and says how to react', (_, { text }) => {
  expect(text).toContain(
    'Fecha: 22 de noviembre de 2026, 6:08 a. m. (hora de Bogotá). Dispositivo: Chrome en Linux.',
  )
  expect(text).toContain(
    'Si no fuiste tú: abre https://banco.example, elige «¿Olvidaste tu contraseña?» y crea otra; eso cierra todas las sesiones. Luego avísale al banco: línea 601 555 0000.',
  )
})

test.each(['app added', 'recovery codes made'] as const)(
  'the mail about “%s” has the link that undoes the event and names the next steps',
  (kind) => {
    const { text, html } = secondFactorMail({ ...letter, event: { kind }, undoLink })

    expect(text.split('\n')).toContain(undoLink)
    expect(html).toContain('No fui yo')
    expect(text).toContain('antes de 72 horas: quita lo que se añadió, cierra todas las sesiones')
    expect(text).toContain('Fecha: 22 de noviembre de 2026')
    expect(text).toContain('avísale al banco: línea 601 555 0000.')
  },
)

test('the mail about the removal of a factor says when the factor is removed and how the owner can keep it', () => {
  const { text } = secondFactorMail({ ...letter, event: end, undoLink: null })

  expect(text).toContain('La quitaremos el 25 de noviembre de 2026, 6:08 a. m. (hora de Bogotá).')
  expect(text).toContain('completa la verificación en dos pasos')
})

test('if the bank has no contact details, the advice says only to contact the bank', () => {
  expect(passwordChangedMail({ ...letter, supportContact: '' }).text).toContain('Luego avísale al banco.\n')
})
