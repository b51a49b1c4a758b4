import { once } from 'node:events'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { boundPipelining, unansweredMax } from './pipelining.ts'

/** A server that answers when `answer` is called, and a connection to it. */
async function open() {
  const app = fastify()
  boundPipelining(app)
  let begun = 0
  let answer = () => {}
  const released = new Promise<void>((resolve) => (answer = resolve))
  app.get('/', async () => {
    begun += 1
    await released
    return 'answered'
  })
  await app.listen({ port: 0 })
  const socket: Socket = connect((app.server.address() as AddressInfo).port, 'localhost')
  socket.on('error', () => undefined)
  onTestFinished(async () => {
    socket.destroy()
    answer()
    await app.close()
  })
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
  return { socket, answer, begun: () => begun, answers: () => received.split('answered').length - 1 }
}

const request = 'GET / HTTP/1.1\r\nHost: banco.example\r\n\r\n'

test('so many requests before the first answer are all answered, and as many again', async () => {
  const { socket, answer, begun, answers } = await open()
  answer()

  socket.write(request.repeat(unansweredMax))
  await expect.poll(answers).toBe(unansweredMax)
  socket.write(request.repeat(unansweredMax))

  await expect.poll(answers).toBe(2 * unansweredMax)
  expect(begun()).toBe(2 * unansweredMax)
})

test('one more ends the connection, and nothing is begun for it or after it', async () => {
  const { socket, begun } = await open()

  socket.write(request.repeat(1000))
  await once(socket, 'close')

  expect(begun()).toBe(unansweredMax)
})
