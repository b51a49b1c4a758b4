/** Mutants of a token that ask to join a channel: the WebSocket's part of the corpus. */
import { once } from 'node:events'
import type { Mutant } from './token-corpus.ts'

/** Fewer than a socket may have channels and send messages in a second. */
const joinsPerSocket = 20
const joinWaitMs = 10_000

type Frame = [joinRef: string | null, ref: string | null, topic: string, event: string, payload: Reply]
type Reply = { readonly status?: string }

/** Where the channels are, and with which key. */
export type RealtimeAddress = { readonly url: string; readonly anonKey: string }

/** Joins with each mutant in turn. Answers what each was told: `error` for a refusal, `silence` for no answer. */
export async function joinWith(
  address: RealtimeAddress,
  mutants: readonly Mutant[],
): Promise<{ mutant: Mutant; status: string }[]> {
  const told: { mutant: Mutant; status: string }[] = []
  for (let from = 0; from < mutants.length; from += joinsPerSocket) {
    const some = mutants.slice(from, from + joinsPerSocket)
    const statuses = await joinOnOneSocket(address, some)
    told.push(...some.map((mutant, index) => ({ mutant, status: statuses[index] ?? 'silence' })))
  }
  return told
}

async function joinOnOneSocket(
  { url, anonKey }: RealtimeAddress,
  mutants: readonly Mutant[],
): Promise<string[]> {
  const statuses: string[] = []
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`,
  )
  const over = Promise.withResolvers<void>()
  const deadline = setTimeout(over.resolve, joinWaitMs)
  let answered = 0
  socket.addEventListener('close', () => over.resolve())
  socket.addEventListener('message', ({ data }) => {
    const [, ref, , event, { status }] = JSON.parse(String(data)) as Frame
    if (event !== 'phx_reply' || ref === null) return
    statuses[Number(ref)] = status ?? 'silence'
    answered += 1
    if (answered === mutants.length) over.resolve()
  })
  await once(socket, 'open')
  for (const [index, { token }] of mutants.entries()) {
    const ref = String(index)
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'transactions' }] }
    socket.send(
      JSON.stringify([ref, ref, `realtime:mutant-${ref}`, 'phx_join', { config, access_token: token }]),
    )
  }
  await over.promise
  clearTimeout(deadline)
  socket.close()
  return statuses
}
