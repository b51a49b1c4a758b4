import { expect, test } from 'vitest'
import { deriveKeys } from '#tokens/keys.ts'
import { seedOf } from '#tokens/stop-token.ts'
import { noticeMail } from './notice-mail.ts'
import type { Facts } from './news.ts'

const keys = deriveKeys('a data key of a test')
const seed = '5f0b8b3e-6a55-4d0c-9d6e-0c8f6f2f7a10'

const mailOf = (topic: string, facts: Facts = {}) =>
  noticeMail(
    {
      siteUrl: 'https://banco.example',
      brandName: 'Banco',
      supportContact: '',
      keys,
      asCalledHere: String,
      displayCurrency: 'USD',
    },
    {
      to: 'ana@correo.example',
      topic,
      facts: { events: 1, happened_at: '2026-11-22T11:08:00Z', detail: null, seed, ...facts },
      at: '2026-11-22T12:00:00Z',
    },
  )

test.each<[string, string | null, string]>([
  ['deposit', null, 'Banco registró un depósito en tu cuenta.'],
  ['correction', null, 'Banco corrigió un movimiento de tu cuenta.'],
  ['large_expense', null, 'Banco registró en tu cuenta un gasto mayor que el monto que elegiste.'],
  ['category_limit', null, 'Los gastos del mes de una de tus categorías llegaron a su límite.'],
  ['low_balance', null, 'Tu saldo bajó del monto que elegiste.'],
  ['statement', '2026-11', 'Ya puedes ver y descargar tu extracto de noviembre de 2026.'],
  ['transfer', 'sent', 'Enviaste una transferencia.'],
  ['transfer', 'received', 'Recibiste una transferencia.'],
  ['transfer', 'declined', 'El banco no aprobó una transferencia tuya.'],
  ['transfer', 'returned', 'El banco devolvió una transferencia.'],
  ['transfer', 'failed', 'Una transferencia tuya no se pudo hacer.'],
  ['transfer', 'expired', 'Una transferencia tuya venció sin que el banco la aprobara.'],
])(
  'the mail about %s (%s) says what happened, and its link stops only this kind',
  (topic, detail, happened) => {
    const { text, unsubscribe = '' } = mailOf(topic, { detail })

    expect(text).toContain(`${happened}\n\nFecha: 22 de noviembre de 2026, 6:08 a. m. (hora de Bogotá).`)
    const link = new URLSearchParams(/^https:\/\/banco\.example\/enlace#(\S+)$/m.exec(text)?.[1])
    expect(link.get('type')).toBe('stop_notices')
    expect(seedOf(keys, link.get('token_hash') ?? '')).toBe(seed)
    expect(unsubscribe).toBe(
      `https://banco.example/auth/v1/stop_notices?token=${link.get('token_hash') ?? ''}`,
    )
  },
)

test('the mail about a new account statement links to the statement’s month', () => {
  const { subject, text } = mailOf('statement', { detail: '2026-11' })

  expect(subject).toBe('Tu extracto de noviembre de 2026 está listo en Banco')
  expect(text).toContain('https://banco.example/extractos?mes=2026-11.')
})

test('the mail about events states the number of events since the last mail', () => {
  expect(mailOf('deposit', { events: 4 }).text).toContain(
    'un depósito en tu cuenta. Desde el último correo sobre este tema hubo otros 3 avisos.',
  )
  expect(mailOf('deposit', { events: 2 }).text).toContain('hubo otro aviso.')
})

test('the mail about a new device names the browser and has no link to stop such mails', () => {
  const { text, html, unsubscribe } = mailOf('new_device', {
    detail: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 <b>',
    seed: null,
  })

  expect(text).toContain('Dispositivo: Chrome en Linux.')
  expect(text).toContain('Si no fuiste tú: abre https://banco.example')
  expect(text + html).not.toContain('stop_notices')
  expect(unsubscribe).toBeUndefined()
})

test('the mail about a stopped notice names the notice and leads to the profile', () => {
  const { subject, text, unsubscribe } = mailOf('stopped', { detail: 'transfer', seed: null })

  expect(subject).toContain('Dejaste de recibir un aviso')
  expect(text).toContain('dejaste de recibir los avisos sobre transferencias. Puedes elegirlos otra vez.')
  expect(text).toContain('https://banco.example/perfil')
  expect(unsubscribe).toBeUndefined()
})

test('a mail about an unknown topic is refused', () => {
  expect(() => mailOf('pago')).toThrow('The mail about the topic pago has no text.')
})

test('the mail about requests links to the page of requests, and its other link stops only mails about requests', () => {
  const { text, unsubscribe = '' } = mailOf('request')

  expect(text).toContain('https://banco.example/admin/solicitudes')
  const link = new URLSearchParams(/^https:\/\/banco\.example\/enlace#(\S+)$/m.exec(text)?.[1])
  expect(link.get('type')).toBe('stop_request_notices')
  expect(seedOf(keys, link.get('token_hash') ?? '')).toBe(seed)
  expect(unsubscribe).toContain(link.get('token_hash') ?? '-')
})
