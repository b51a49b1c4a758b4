import { gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { addCompression } from './compression.ts'

const long = JSON.stringify(Array.from({ length: 1000 }, (_, number) => ({ number })))

test('a long answer is compressed for a client that accepts gzip', async () => {
  const app = fastify()
  addCompression(app)
  app.get('/long', (_request, reply) => reply.send(long))
  app.get('/short', (_request, reply) => reply.send('[]'))
  const read = (url: string, coding: string) => app.inject({ url, headers: { 'accept-encoding': coding } })

  const compressed = await read('/long', 'br, gzip;q=0.8')
  const whole = await read('/long', 'identity')

  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' })
  expect(compressed.rawPayload.length).toBeLessThan(long.length / 3)
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(long)
  expect(whole.body).toBe(long)
  for (const plain of [whole, await read('/long', 'gzip;q=0'), await read('/short', 'gzip')])
    expect(plain.headers['content-encoding']).toBeUndefined()
})
