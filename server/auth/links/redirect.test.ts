import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowedOrigins } from '#http/cors.ts'
import { redirectTarget } from './redirect.ts'

const config = { siteUrl: 'https://banco.example' }
const services = {
  config,
  redirectOrigins: allowedOrigins({ ...config, isDefaultSite: false, port: 3000, further: [] }),
}

test.each(['https://banco.example/dashboard?a=1', 'https://banco.example/', 'HTTPS://BANCO.EXAMPLE/x'])(
  'a mailed link can lead to %s',
  (asked) => {
    expect(redirectTarget(asked, services)).toBe(new URL(asked).href)
  },
)

test('the fragment of a link’s target is removed, because the link puts the session into the fragment', () => {
  expect(redirectTarget('https://banco.example/x#access_token=stolen', services)).toBe(
    'https://banco.example/x',
  )
})

test.each([
  null,
  '',
  'dashboard',
  'http://banco.example/',
  'https://banco.example:444/',
  'https://banco.example.evil.example/',
  'https://banco.example@evil.example/',
  'https://ana:secret@banco.example/',
  'https://evil.example/https://banco.example/',
  'https:\\\\evil.example',
  'blob:https://banco.example/7f0c',
  'javascript://banco.example/%0aalert(1)',
])('a link for which the page %s was requested leads to the site', (asked) => {
  expect(redirectTarget(asked, services)).toBe('https://banco.example/')
})

test('a link never leads away from the site', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (asked) => {
      expect(new URL(redirectTarget(asked, services)).origin).toBe('https://banco.example')
    }),
  )
})
