/**
 * How long a refused sign-in takes must not tell whether there is an account (security.md AN-05): unknown address,
 * wrong password, account without a password, banned account, interleaved; nor a sign-up with an address that is taken,
 * waits, or is new (AN-06). Plant `hasty`: the unknown address is one that the server
 * refuses without a hash, to show that the gap would be seen.
 */
import { type Engine, type Figure, known } from '#nightly/report/figure.ts'
import { type IdentityServer, identityServer } from '#nightly/places/identity-server.ts'

const gapMsMax = 2
const gapShareMax = 0.1
const repetitionsMax = 10

type Classes = Readonly<Record<string, () => Promise<number>>>

/** So many refused sign-ins and sign-ups of each class. */
export async function runRefusalTiming(options: {
  engine: Engine
  each: number
  plant?: 'hasty'
}): Promise<Figure[]> {
  const { engine, each, plant } = options
  const server = await identityServer(engine, { environment: { AUTH_AUTOCONFIRM: 'false' } })
  try {
    const [confirmed, banned] = [
      await addPerson(server, {}),
      await addPerson(server, { ban_duration: '24h' }),
    ]
    const ask = async (path: string, body: object) => {
      const began = performance.now()
      const answer = await fetch(`${server.url}/auth/v1/${path}`, {
        method: 'POST',
        headers: { apikey: server.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      await answer.arrayBuffer()
      return performance.now() - began
    }
    const signIn = (body: object) => ask('token?grant_type=password', body)
    const signUp = (email: string) => ask('signup', { email, password: 'una clave larga' })
    const waiting = newEmail()
    await signUp(waiting)
    const password = 'esta no es'
    return [
      ...(await compare(`${each} refused sign-ins each, ${engine}`, each, {
        'wrong password': () => signIn({ email: confirmed, password }),
        'unknown address': () => signIn(plant === 'hasty' ? { password } : { email: newEmail(), password }),
        'no password': () => signIn({ email: confirmed }),
        'banned, wrong password': () => signIn({ email: banned, password }),
      })),
      ...(await compare(`${each} sign-ups each, ${engine}`, each, {
        'new address': () => signUp(newEmail()),
        'taken address': () => signUp(confirmed),
        'waiting address': () => signUp(waiting),
      })),
    ]
  } finally {
    await server.close()
  }
}

/**
 * The medians of the classes, in the best one of some repetitions: what other programs cost passes, what tells an
 * account from none stays.
 */
async function compare(what: string, each: number, classes: Classes): Promise<Figure[]> {
  let best = { gap: Number.POSITIVE_INFINITY, share: Number.POSITIVE_INFINITY, text: '', areas: '' }
  for (let repetition = 0; repetition < repetitionsMax && !isWithin(best); repetition += 1) {
    const times = await measure(classes, each)
    const medians = [...times].map(([name, list]) => ({ name, ms: median(list) }))
    const values = medians.map(({ ms }) => ms)
    const gap = Math.max(...values) - Math.min(...values)
    const text = medians.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`).join(', ')
    if (gap < best.gap) best = { gap, share: gap / Math.min(...values), text, areas: areasOf(times) }
  }
  return [
    known(`medians of ${what}`, best.text),
    {
      what: 'the largest gap between them',
      value: `${best.gap.toFixed(2)} ms, ${(best.share * 100).toFixed(1)} %`,
      line: `≤ ${gapMsMax} ms or ≤ ${gapShareMax * 100} %`,
      isMet: isWithin(best),
    },
    known('how often one takes longer than the first (0.50 is chance)', best.areas),
  ]
}

async function addPerson(server: IdentityServer, more: { ban_duration?: string }): Promise<string> {
  const email = newEmail()
  const { auth } = await server.operator()
  const person = { email, password: `clave ${crypto.randomUUID()}`, email_confirm: true, ...more }
  const { error } = await auth.admin.createUser(person)
  if (error !== null) throw error
  return email
}

function newEmail(): string {
  return `${crypto.randomUUID()}@banco.example`
}

function isWithin({ gap, share }: { gap: number; share: number }): boolean {
  return gap <= gapMsMax || share <= gapShareMax
}

async function measure(classes: Classes, each: number): Promise<Map<string, number[]>> {
  const names = Object.keys(classes)
  const times = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < each + 5; round += 1) {
    // Another order each time, so that none always comes after the same one; the first five warm up.
    const order = names.toSorted(() => Math.random() - 0.5)
    for (const name of order) {
      const ms = (await classes[name]?.()) ?? 0
      if (round >= 5) times.get(name)?.push(ms)
    }
  }
  return times
}

/** The area under the curve (Mann-Whitney's U as a share) of each class against the first. */
function areasOf(times: ReadonlyMap<string, readonly number[]>): string {
  const [[, first] = ['', []], ...others] = times
  return others
    .map(([name, list]) => {
      const above = list.reduce((sum, ms) => sum + first.filter((other) => ms > other).length, 0)
      return `${name} ${(above / (list.length * first.length)).toFixed(2)}`
    })
    .join(', ')
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
}
