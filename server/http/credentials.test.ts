import { expect, test } from 'vitest'
import { readApiKey } from './credentials.ts'

const keys = { anonKey: 'anon', serviceRoleKey: 'service', accepted: null }
const asked = (apikey: string, headers: object) => readApiKey({ headers: { apikey, ...headers } }, keys).ok

test.each([
  // A GET request from a page of the same site, for which browsers do not send Origin.
  [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  [{ origin: 'https://banco.example' }],
  [{ 'sec-fetch-mode': 'navigate' }],
  [{ 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
  [{ referer: 'https://banco.example/admin' }],
  // A request from a page that was loaded over plain http, for which browsers do not send `Sec-Fetch-*` headers.
  [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' }],
])('a request with browser headers may use the public key but not the service key: %o', (headers) => {
  expect(asked('service', headers)).toBe(false)
  expect(asked('anon', headers)).toBe(true)
})

// Node's `fetch` and WebSocket send only these headers, so the service key cannot be refused because of them.
test.each([[{}], [{ 'sec-fetch-mode': 'cors', 'user-agent': 'node' }], [{ 'sec-fetch-mode': 'websocket' }]])(
  'the service key is accepted from a program with the headers %o',
  (headers) => {
    expect(asked('service', headers)).toBe(true)
  },
)
