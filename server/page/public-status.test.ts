import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import type { DatabaseWatch } from '#database/watch.ts'
import { page } from './page.ts'

/** Requests `/estado` from a server whose database has the given state. */
async function ask(watch: { isAway: boolean; clockDiffers: boolean }) {
  const app = fastify()
  await app.register(
    page({
      siteUrl: 'https://banco.example',
      configuration: {
        supabaseUrl: '',
        anonKey: '',
        brandName: 'Banco <Uno>',
        displayCurrency: 'USD',
        avatarUrl: '',
        chartUrl: '',
        paperFormats: ['pdf', 'csv'],
        passwordLengthMin: 8,
        features: [],
        hasApprovals: false,
      },
      watch: watch as DatabaseWatch,
      isDegraded: () => true,
      isDraining: () => false,
      servingSince: () => '2026-11-20T15:00:00Z',
      awaySince: () => Date.parse('2026-11-27T12:00:00Z'),
    }),
  )
  return app.inject('/estado')
}

/** Returns the sentences of the page. */
const shown = (body: string) => [...body.matchAll(/<(?:h1|p)>(.*)<\/(?:h1|p)>/g)].map(([, text]) => text)

test('the public page /estado shows only the state of the bank and the time at which this state began', async () => {
  const { statusCode, headers, body } = await ask({ isAway: false, clockDiffers: false })

  expect(statusCode).toBe(200)
  expect(headers['cache-control']).toBe('public, max-age=30')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(shown(body)).toEqual([
    'El banco funciona',
    'Desde el 20 de noviembre de 2026, 10:00 a. m. (hora de Bogotá)',
  ])
  expect(body).toContain('<title>Estado de Banco &lt;Uno&gt;</title>')
  expect(body).not.toMatch(/<script|version|\d+\.\d+\.\d+/)
})

test('/estado carries the name of the bank and leads to the login', async () => {
  const { body } = await ask({ isAway: true, clockDiffers: false })

  expect(body).toMatch(/<a class="brand" href="\/">.*Banco &lt;Uno&gt;<\/span><\/a>/)
  expect(body).toContain('<a class="login" href="/login">Entrar a tu banco</a>')
})

test.each([
  { isAway: true, clockDiffers: false },
  { isAway: false, clockDiffers: true },
])(
  'in the state %j, /estado answers 503 with Retry-After and says that the bank does not work',
  async (watch) => {
    const { statusCode, headers, body } = await ask(watch)

    expect(statusCode).toBe(503)
    expect(headers['retry-after']).toBe('2')
    expect(headers['cache-control']).toBe('no-store')
    expect(shown(body)[0]).toBe('El banco no funciona en este momento')
  },
)
