/**
 * Hundreds of sign-ins at the same moment (security.md AN-12): the server turns away what it cannot do, its event loop
 * is never late, its memory does not grow, and everybody else is served meanwhile. Plant `blocking`: passwords are
 * hashed on the main thread.
 */
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Engine, type Figure, atMost, known, none } from '#nightly/report/figure.ts'
import { type Account, type IdentityServer, identityServer } from '#nightly/places/identity-server.ts'
import type { Storm, StormAnswer } from './storm-callers.ts'

const lagMsMax = 50
const otherMsMax = 300
const grownMiBMax = 100

/** So many wrong sign-ins at once, while somebody else reads their transactions all the time. */
export async function runSignInStorm(options: {
  engine: Engine
  signIns: number
  plant?: 'blocking'
}): Promise<Figure[]> {
  const { engine, signIns, plant } = options
  const strainFile = join(tmpdir(), `finanzas-strain-${crypto.randomUUID()}`)
  const server = await identityServer(engine, {
    nodeArguments: [
      '--import',
      './nightly/identity/server-strain.mjs',
      ...(plant === undefined ? [] : ['--import', './nightly/identity/blocking-hashes.mjs']),
    ],
    environment: { SERVER_STRAIN_FILE: strainFile },
  })
  try {
    const account = await server.signUp()
    // Both sides have done everything once before it counts.
    await signInAtOnce(server, account, 20)
    await readDuring(account, setTimeout(300))

    server.process.signal('SIGUSR2')
    const storm = signInAtOnce(server, account, signIns)
    const waits = await readDuring(account, storm)
    server.process.signal('SIGUSR2')
    const answers = await storm

    const strain = await readStrain(strainFile)
    const turnedAway = answers.filter(({ status }) => status === 503)
    const odd = answers.filter(
      ({ status, retryAfter }) => status !== 400 && !(status === 503 && retryAfter !== null),
    )
    return [
      known(
        `${signIns} sign-ins at once, ${engine}`,
        `${signIns - turnedAway.length} checked, ${turnedAway.length} told to come again`,
      ),
      none('answered with anything but 400 or 503 with Retry-After', odd),
      atMost('event loop late, p99', strain.lagMs, lagMsMax, 'ms'),
      atMost(`other requests meanwhile (${waits.length}), p99`, percentile99(waits), otherMsMax, 'ms'),
      atMost('memory grown by', strain.grownBytes / 2 ** 20, grownMiBMax, 'MiB'),
    ]
  } finally {
    await server.close()
    await rm(strainFile, { force: true })
  }
}

async function signInAtOnce(
  server: IdentityServer,
  { email }: Account,
  signIns: number,
): Promise<StormAnswer[]> {
  const storm: Storm = { url: server.url, anonKey: server.anonKey, email, signIns }
  const callers = new Worker(new URL('storm-callers.ts', import.meta.url), { workerData: storm })
  const [answers] = await once(callers, 'message')
  return answers as StormAnswer[]
}

/** How long each of somebody's requests took, in milliseconds, one after the other until something has ended. */
async function readDuring({ client }: Account, something: Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  const ended = new AbortController()
  const end = () => ended.abort()
  something.then(end, end)
  while (!ended.signal.aborted) {
    const began = performance.now()
    const { error } = await client.from('transactions').select('id').limit(5)
    if (error !== null) throw error
    waits.push(performance.now() - began)
    await setTimeout(5)
  }
  return waits
}

async function readStrain(file: string): Promise<{ lagMs: number; grownBytes: number }> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text !== '') return JSON.parse(text) as { lagMs: number; grownBytes: number }
    await setTimeout(20)
  }
}

function percentile99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
}
