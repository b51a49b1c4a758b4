import { expect, test } from 'vitest'
import { readApiKey } from './credentials.ts'

const keys = { anonKey: 'anon', serviceRoleKey: 'service', accepted: null }
const asked = (apikey: string, headers: object) => readApiKey({ headers: { apikey, ...headers } }, keys).ok

test.each([
  // A browser's GET from a page of the site itself has no Origin.
  [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  [{ origin: 'https://banco.example' }],
])('the service key is refused with the headers of a browser, %o, the public one is not', (headers) => {
  expect(asked('service', headers)).toBe(false)
  expect(asked('anon', headers)).toBe(true)
})

test.each([[{}], [{ 'sec-fetch-mode': 'cors' }]])(
  'the service key counts with those of a program, %o',
  (headers) => {
    expect(asked('service', headers)).toBe(true)
  },
)
