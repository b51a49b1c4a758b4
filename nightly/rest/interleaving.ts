/**
 * Requests of many customers at once over a pool of few connections: no answer may hold a row of another customer
 * than the one who asked (security.md AZ-12). Every customer's rows say whose they are.
 */
import { randomUUID } from 'node:crypto'
import { type Engine, type Figure, atLeast, known, none } from '#nightly/report/figure.ts'
import { identityServer } from '#nightly/places/identity-server.ts'
import { randomOf } from '#nightly/places/random.ts'

const rowsEach = 3
const atOnce = 32
/** Few for so many, so that every connection goes from hand to hand. */
const poolSize = 5

/** Runs it. The embedded engine has one connection. */
export async function runInterleaving(size: {
  engine: Engine
  customers: number
  requests: number
  seed: number
}): Promise<Figure[]> {
  const { engine, customers, requests, seed } = size
  const random = randomOf(seed)
  const server = await identityServer(engine, { environment: { DATABASE_POOL_SIZE: String(poolSize) } })
  try {
    const call = async (token: string, path: string, body?: object) => {
      const answer = await fetch(`${server.url}/rest/v1/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          apikey: server.anonKey,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const people: { mark: string; token: string }[] = []
    for (let index = 0; index < customers; index += 1) {
      const { token } = await server.signUp()
      const mark = `de-${randomUUID()}`
      const { status } = await call(
        token,
        'transactions',
        Array.from({ length: rowsEach }, () => ({ type: 'expense', description: mark, amount: index + 1 })),
      )
      if (status !== 201) throw new Error(`The rows were refused: ${status}`)
      people.push({ mark, token })
    }
    const foreign: string[] = []
    const failed: string[] = []
    let done = 0
    const worker = async () => {
      while (done < requests) {
        done += 1
        const { mark, token } = random.one(people)
        const isWrong = random.integer(10) === 0
        // Every tenth is refused half-way: what it leaves behind on its connection is the next one's.
        const path = isWrong ? 'transactions?amount=eq.x' : 'transactions?select=description'
        const { status, text } = await call(token, path)
        if (isWrong ? status !== 400 : status !== 200) failed.push(`${status} ${text}`)
        else if (!isWrong) {
          const rows = JSON.parse(text) as { description: string }[]
          if (rows.length !== rowsEach || rows.some(({ description }) => description !== mark))
            foreign.push(text)
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    return [
      known('seed', String(seed)),
      atLeast(`requests, ${engine}`, done, requests),
      none('answers with other rows than one’s own', foreign),
      none('answers of another status', failed),
    ]
  } finally {
    await server.close()
  }
}
