/**
 * A new bank has no account that somebody could know of (security.md AN-11): the addresses and passwords that anybody
 * would try first open nothing. Plant `guessed`: the first administrator’s password, which may not be a common one, is tried as well.
 */
import { commonWords } from '#server/identity/password/common-passwords.ts'
import { type Engine, type Figure, atLeast, none } from '#nightly/report/figure.ts'
import { identityServer } from '#nightly/places/identity-server.ts'

const names = [
  'admin',
  'administrator',
  'administrador',
  'root',
  'test',
  'demo',
  'banco',
  'finanzas',
  'soporte',
  'user',
]
const hosts = ['finanzas.local', 'banco.example', 'localhost.localdomain']
/** Fewer than wait in line for a hash. */
const togetherMax = 8

/** Tries so many pairs on a bank that was just started without a word about its administrator. */
export async function runDefaultAccounts(options: {
  engine: Engine
  pairs: number
  plant?: 'guessed'
}): Promise<Figure[]> {
  const { engine, pairs, plant } = options
  const planted = plant === 'guessed' ? ['una clave larga'] : []
  const environment = { ADMIN_EMAIL: '', ADMIN_PASSWORD: planted[0] ?? '' }
  const server = await identityServer(engine, { environment })
  try {
    const addresses = hosts.flatMap((host) => names.map((name) => `${name}@${host}`))
    // Every address with its own name first, then with one common word after the other.
    const candidates = [
      ...addresses.map((email) => ({ email, password: email.split('@')[0] ?? '' })),
      ...[...planted, ...commonWords].flatMap((password) => addresses.map((email) => ({ email, password }))),
    ].slice(0, pairs)
    const opened: string[] = []
    let tried = 0
    const work = async () => {
      for (let pair = candidates.pop(); pair !== undefined; pair = candidates.pop()) {
        const { data, error } = await server.client().auth.signInWithPassword(pair)
        if (error !== null && error.status !== 400) throw error
        tried += 1
        if (data.session !== null) opened.push(pair.email)
      }
    }
    await Promise.all(Array.from({ length: togetherMax }, work))
    return [
      atLeast(`pairs of a name and a password, ${engine}`, tried, pairs),
      none(`pairs that signed in ${opened.slice(0, 3).join(', ')}`, opened),
    ]
  } finally {
    await server.close()
  }
}
