import { expect, test } from 'vitest'
import { deriveKeys } from '#tokens/keys.ts'
import { noticeMail } from './notice-mail.ts'
import type { Facts } from './news.ts'
import type { Mail } from './mail-page.ts'

const keys = deriveKeys('a data key of a test')
const displayCurrency = 'USD' as const
const asCalledHere = (text: string) => text.replaceAll('npm run', 'finanzas')

function mailOf(topic: string, facts: Facts | null = null, supportContact = 'línea 601 555 0000'): Mail {
  const config = {
    siteUrl: 'https://banco.example',
    brandName: 'Banco',
    supportContact,
    keys,
    asCalledHere,
    displayCurrency,
  }
  return noticeMail(config, { to: 'ana@correo.example', topic, facts, at: '2026-11-20T12:00:00Z' })
}

test('the mail to a blocked user says when the block ends and how to contact the bank', () => {
  const { to, text } = mailOf('ban_user', { banned_until: '2026-11-22T11:08:00+00:00' })

  expect(to).toBe('ana@correo.example')
  expect(text).toContain(
    'Banco bloqueó tu cuenta hasta el 22 de noviembre de 2026, 6:08 a. m. (hora de Bogotá) y cerró todas tus sesiones. Tu saldo y tus movimientos siguen como estaban.',
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

test.each<[string, Facts | null, string]>([
  ['unban_user', null, 'Si no sabes por qué, habla con el banco.'],
  ['revoke_sessions', null, 'Si no sabes por qué, habla con el banco.'],
  ['reset_factor', null, 'elige «¿Olvidaste tu contraseña?» y crea otra. Luego avísale al banco.'],
  ['set_email', { email: 'otra@correo.example' }, 'Si no lo pediste, habla ya con el banco.'],
  ['correct_holder', null, 'Si algo no está bien, habla con el banco.'],
  ['many_sessions', null, 'elige «¿Olvidaste tu contraseña?» y crea otra; eso cierra todas las sesiones.'],
  ['transfer_waits', null, 'Si no la pediste: cancélala, elige «¿Olvidaste tu contraseña?» y crea otra.'],
  ['cancel_email_change', null, 'Si no sabes por qué, habla con el banco.'],
  ['change_role', { role: 'admin' }, 'Si no lo esperabas, habla con el banco.'],
  ['change_role', { role: 'user' }, 'Si no sabes por qué, habla con el banco.'],
  ['delete_user', null, 'Para saber por qué, habla con el banco.'],
])('the mail about %s says what to do and has no link', (action, after, closing) => {
  const { text } = mailOf(action, after, '')

  expect(text).toContain(closing)
  expect(text).toContain(after?.['email'] ?? 'Banco')
  expect(text).not.toContain('administración')
  expect(text).not.toMatch(/^https?:\/\/\S+$/m)
})

test('the current address gets a link to cancel the change, and the next address gets a link to confirm it', () => {
  const after = { email: 'otra@correo.example', seed: 'one', counts_at: '2026-11-23T12:00:00Z' }
  const present = mailOf('begin_email_change', after)
  const next = mailOf('confirm_email_change', { seed: 'one', counts_at: after.counts_at })

  const linkIn = ({ text }: Mail) => new URLSearchParams(/^https:\S+#(\S+)$/m.exec(text)?.[1])
  expect(present.text).toContain('otra@correo.example')
  expect(present.text).toContain('el 23 de noviembre de 2026, 7:00 a. m. (hora de Bogotá)')
  expect(linkIn(present).get('type')).toBe('address_cancellation')
  expect(linkIn(next).get('type')).toBe('address_confirmation')
  expect(next.text).toContain('El enlace no abre la cuenta')
  expect(linkIn(present).get('token_hash')).toMatch(/^[0-9a-f]{64}$/)
  expect(linkIn(next).get('token_hash')).not.toBe(linkIn(present).get('token_hash'))
})

const staffMailOf = (topic: string, facts: Facts) =>
  mailOf(
    topic,
    { origin: 'request', actor: 'Marta Ruiz', target: 'Ana Pérez', was_admin: false, ...facts },
    '',
  )

test.each<[string, Facts, string]>([
  ['staff_change_role', { role: 'admin' }, 'Marta Ruiz le dio el rol de administrador a Ana Pérez.'],
  [
    'staff_change_role',
    { role: 'user' },
    'Marta Ruiz le quitó el rol de administrador a Ana Pérez y cerró todas sus sesiones.',
  ],
  [
    'staff_create_user',
    { origin: 'operator', actor: null },
    'El operador del banco creó una cuenta de administrador para Ana Pérez.',
  ],
  [
    'staff_delete_user',
    { origin: 'service', actor: null },
    'Un programa del banco eliminó la cuenta de Ana Pérez.',
  ],
  ['staff_delete_user', { was_admin: true }, 'Marta Ruiz eliminó la cuenta de administrador de Ana Pérez.'],
  [
    'staff_ban_user',
    { banned_until: '2126-11-22T11:08:00+00:00' },
    'Marta Ruiz bloqueó la cuenta de administrador de Ana Pérez y cerró todas sus sesiones.',
  ],
  [
    'staff_register_transaction',
    { amount: '1250000.50' },
    'Marta Ruiz registró un movimiento en su propia cuenta por $1,250,000.50.',
  ],
  [
    'staff_correct_transaction',
    { amount: '100.00' },
    'Marta Ruiz corrigió un movimiento de su propia cuenta por $100.00.',
  ],
  [
    'staff_register_batch',
    { amount: '75.00' },
    'Marta Ruiz ordenó un lote con abonos a su propia cuenta por $75.00.',
  ],
  [
    'staff_reverse_batch',
    { amount: '75.00' },
    'Marta Ruiz revirtió un lote con abonos a su propia cuenta por $75.00.',
  ],
])('the mail to an administrator about %s (%o) says what to do', (topic, facts, happened) => {
  const { text, subject } = staffMailOf(topic, facts)

  expect(text).toContain(happened)
  expect(text).toContain('Fecha: 20 de noviembre de 2026')
  expect(text).toContain('Si no sabías de esto, mira el registro de administración en https://banco.example')
  // Phones show the subject of a mail in a notification, so the subject must not contain a customer's name.
  expect(subject).not.toContain('Ana')
})

test('the mail to the operator about an alarm says since when, and what to do with the commands of this installation', () => {
  const facts = { code: 'database-away', is_open: true, happened_at: '2026-11-27T12:00:00Z' }
  const { subject, text } = mailOf('alarm', facts)

  expect(subject).toBe('Alarma de Banco: La base de datos no responde')
  expect(text).toContain('La base de datos no responde, desde el 27 de noviembre de 2026, 7:00 a. m.')
  expect(text).toContain('Qué hacer: Mira si PostgreSQL está en marcha')
  expect(text).toContain('https://banco.example/admin/estado')
  expect(text).toContain('También puedes mirarlo con «finanzas status».')
  const end = mailOf('alarm', { ...facts, is_open: false })
  expect(end.subject).toBe('Terminó la alarma de Banco: La base de datos no responde')
  expect(end.text).toContain('Terminó el 27 de noviembre de 2026, 7:00 a. m.')
  expect(end.text).not.toContain('Qué hacer')
})

test('an alarm of a newer release waits for a server that has its text', () => {
  expect(() => mailOf('alarm', { code: 'of-a-newer-release', is_open: true })).toThrow(
    'The alarm of-a-newer-release has no text.',
  )
})
