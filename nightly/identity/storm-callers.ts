/** Everybody who signs in at once, on a thread of their own: what sending costs them delays nobody else who is measured. */
import { parentPort, workerData } from 'node:worker_threads'

/** Where they sign in, and how many of them. */
export type Storm = {
  readonly url: string
  readonly anonKey: string
  readonly email: string
  readonly signIns: number
}

/** How one of them was answered. */
export type StormAnswer = { readonly status: number; readonly retryAfter: string | null }

const { url, anonKey, email, signIns } = workerData as Storm

parentPort?.postMessage(await Promise.all(Array.from({ length: signIns }, signIn)))

async function signIn(): Promise<StormAnswer> {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'esta no es la clave' }),
  })
  await answer.arrayBuffer()
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
}
