import { expect, test } from 'vitest'
import { freshOrKept, keptHeader, kindOf } from './answers.ts'

const origin = 'https://banco.example'
const asked = (path: string, mode = 'navigate', method = 'GET') =>
  kindOf({ method, mode, url: new URL(path, origin).href }, origin)

test('the worker handles requests for the page, its files and its configuration', () => {
  expect(asked('/')).toBe('page')
  expect(asked('/transacciones?categoria=Comida')).toBe('page')
  expect(asked('/assets/entry-1a2b3c4d.js', 'cors')).toBe('file')
  expect(asked('/config.json', 'cors')).toBe('configuration')
})

test('a request bypasses the worker if it writes data, asks for personal data or goes to another host', () => {
  expect(asked('/rest/v1/budgets?select=balance', 'cors')).toBe('none')
  expect(asked('/auth/v1/verify?token=a&type=recovery')).toBe('none')
  expect(asked('/functions/v1/export', 'cors')).toBe('none')
  expect(asked('/realtime/v1/websocket', 'websocket')).toBe('none')
  expect(asked('/dashboard', 'navigate', 'POST')).toBe('none')
  expect(asked('https://proyecto.example/rest/v1/budgets', 'cors')).toBe('none')
  expect(asked('https://proyecto.example/assets/a.js', 'cors')).toBe('none')
})

test('requests for health checks, downloads and public pages and for the worker itself bypass the worker', () => {
  for (const path of ['/health', '/ready', '/metrics', '/estado', '/verificar', '/sw.js', '/favicon.svg'])
    expect(asked(path)).toBe('none')
})

const never = new Promise<never>(() => {})
const fresh = (status = 200) => Promise.resolve(new Response('fresh', { status }))
const kept = () => new Response('kept', { headers: { 'content-type': 'text/html' } })

test('an answer from the network is used even if it is a refusal', async () => {
  expect(await (await freshOrKept(fresh(), kept(), never)).text()).toBe('fresh')
  expect((await freshOrKept(fresh(404), kept(), never)).status).toBe(404)
})

test('if the network fails or is slow, the cached answer is returned and marked as cached', async () => {
  const answers = [
    freshOrKept(Promise.reject(new TypeError('Failed to fetch')), kept(), never),
    freshOrKept(never, kept(), Promise.resolve()),
    freshOrKept(fresh(503), kept(), never),
  ]
  for (const answer of await Promise.all(answers)) {
    expect(await answer.text()).toBe('kept')
    expect(answer.headers.get(keptHeader)).toBe('1')
    expect(answer.headers.get('content-type')).toBe('text/html')
  }
})

test('the worker waits for the network if nothing is cached', async () => {
  expect((await freshOrKept(fresh(503), undefined, Promise.resolve())).status).toBe(503)
  await expect(freshOrKept(Promise.reject(new TypeError('away')), undefined, never)).rejects.toThrow('away')
})
