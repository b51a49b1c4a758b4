import { expect, test } from 'vitest'
import { type AccessNotice, accessMail } from './access-mail.ts'
import type { Mail } from './mail-page.ts'

function mailOf(
  action: string,
  after: AccessNotice['after'] = null,
  supportContact = 'línea 601 555 0000',
): Mail {
  const config = { siteUrl: 'https://banco.example', brandName: 'Banco', supportContact }
  return accessMail(config, { to: 'ana@correo.example', action, after, at: '2026-11-20T12:00:00Z' })
}

test('a blocked person reads until when, that the money stays, and whom to ask', () => {
  const { to, text } = mailOf('ban_user', { banned_until: '2026-11-22T11:08:00+00:00' })

  expect(to).toBe('ana@correo.example')
  expect(text).toContain(
    'Banco bloqueó tu cuenta hasta el 22 de noviembre de 2026, 6:08 a. m., hora de Colombia y cerró todas tus sesiones. Tu saldo y tus movimientos siguen como estaban.',
  )
  expect(text).toContain('Para saber por qué, habla con el banco: línea 601 555 0000.')
  const asked = mailOf('ban_user', { banned_until: '2026-11-22T11:08:00+00:00', reason: 'customer_request' })
  expect(asked.text).toContain('cerró todas tus sesiones, como lo pediste.')
  for (const reason of ['suspected_fraud', 'legal_order'])
    expect(mailOf('ban_user', { banned_until: '2026-11-22T11:08:00+00:00', reason }).text).toBe(text)
  expect(mailOf('ban_user', { banned_until: '2126-11-22T11:08:00+00:00' }).text).toContain(
    'hasta nuevo aviso',
  )
})

test.each<[string, AccessNotice['after'], string]>([
  ['unban_user', null, 'Si no sabes por qué, habla con el banco.'],
  ['revoke_sessions', null, 'Si no sabes por qué, habla con el banco.'],
  ['reset_factor', null, 'elige «¿Olvidaste tu contraseña?» y crea otra. Luego avísale al banco.'],
  ['begin_email_change', { email: 'otra@correo.example' }, 'Si no lo pediste, habla ya con el banco.'],
])('%s is told with what to do about it, without a link', (action, after, closing) => {
  const { text } = mailOf(action, after, '')

  expect(text).toContain(closing)
  expect(text).toContain(after?.['email'] ?? 'Banco')
  expect(text).not.toMatch(/^https?:\/\/\S+$/m)
})
