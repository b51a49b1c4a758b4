/**
 * No token but a real one opens anything (security.md SE-04): every mutant at every endpoint of the wire is answered
 * 401 or 403, and none joins a channel. Plant `accept`: the real token is among the mutants.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Engine, type Figure, atLeast, none } from '#nightly/report/figure.ts'
import { type Genuine, type Mutant, craftedMutants, flippedMutants } from './token-corpus.ts'
import { joinWith } from './token-joins.ts'
import { identityServer } from '#nightly/places/identity-server.ts'

const movement = {
  user_id: '00000000-0000-4000-8000-000000000000',
  type: 'deposit',
  amount: 1,
  description: 'x',
  date: new Date().toISOString(),
  category: 'Deposito',
}
const endpoints: readonly [method: string, path: string, body?: object][] = [
  ['GET', '/auth/v1/user'],
  ['PUT', '/auth/v1/user', { data: { full_name: 'x' } }],
  ['POST', '/auth/v1/logout?scope=others'],
  ['GET', '/auth/v1/reauthenticate'],
  ['POST', '/auth/v1/factors', { factor_type: 'totp', friendly_name: 'x' }],
  ['POST', '/auth/v1/factors/00000000-0000-4000-8000-000000000000/challenge', {}],
  [
    'POST',
    '/auth/v1/factors/00000000-0000-4000-8000-000000000000/verify',
    { code: '000000', challenge_id: '00000000-0000-4000-8000-000000000000' },
  ],
  ['DELETE', '/auth/v1/factors/00000000-0000-4000-8000-000000000000'],
  ['POST', '/auth/v1/factors/recovery-codes', {}],
  ['GET', '/auth/v1/admin/users'],
  ['GET', '/rest/v1/transactions?select=*'],
  ['POST', '/rest/v1/transactions', { description: 'x', amount: 1, type: 'expense' }],
  ['DELETE', '/rest/v1/transactions?id=eq.00000000-0000-4000-8000-000000000000'],
  ['PATCH', '/rest/v1/profiles?id=eq.00000000-0000-4000-8000-000000000000', { role: 'admin' }],
  ['POST', '/rest/v1/rpc/export_my_data', {}],
  [
    'POST',
    '/functions/v1/manage-users',
    { action: 'delete', userId: '00000000-0000-4000-8000-000000000000' },
  ],
  ['POST', '/functions/v1/manage-transactions', { action: 'create', transactionData: movement }],
  ['POST', '/functions/v1/delete-account', { password: 'una clave larga' }],
]
const togetherMax = 16

/** Tries so many changed tokens, and every crafted one, at every endpoint. */
export async function runTokenCorpus(options: {
  engine: Engine
  flips: number
  plant?: 'accept'
}): Promise<Figure[]> {
  const server = await identityServer(options.engine)
  try {
    const { token, refreshToken } = await server.signUp()
    const secrets = JSON.parse(await readFile(join(server.dataDir, 'secrets.json'), 'utf8')) as {
      jwtSecret: string
    }
    const genuine: Genuine = { token, refreshToken, anonKey: server.anonKey, secret: secrets.jwtSecret }
    const mutants = [...craftedMutants(genuine), ...flippedMutants(genuine, options.flips)]
    if (options.plant === 'accept') mutants.push({ what: 'the real token', token })

    const opened: string[] = []
    const failed: string[] = []
    let tried = 0
    const tasks = mutants.flatMap((mutant) => endpoints.map((endpoint) => ({ mutant, endpoint })))
    const work = async () => {
      for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
        const status = await statusOf(server.url, server.anonKey, task.mutant, task.endpoint)
        tried += 1
        if (status >= 500) failed.push(`${status} ${task.endpoint[1]}: ${task.mutant.what}`)
        else if (status !== 401 && status !== 403)
          opened.push(`${status} ${task.endpoint[1]}: ${task.mutant.what}`)
      }
    }
    await Promise.all(Array.from({ length: togetherMax }, work))
    for (const { mutant, status } of await joinWith(server, mutants)) {
      tried += 1
      if (status === 'ok') opened.push(`a channel: ${mutant.what}`)
      else if (status !== 'error') failed.push(`${status} for a channel: ${mutant.what}`)
    }
    return [
      atLeast(
        'mutants of a token, each at every endpoint',
        tried,
        (options.flips + 80) * (endpoints.length + 1),
      ),
      none(`mutants that opened something ${[...new Set(opened)].slice(0, 5).join('; ')}`, opened),
      none(`mutants answered with 5xx or not at all ${[...new Set(failed)].slice(0, 5).join('; ')}`, failed),
    ]
  } finally {
    await server.close()
  }
}

async function statusOf(
  url: string,
  anonKey: string,
  { token }: Mutant,
  [method, path, body]: (typeof endpoints)[number],
): Promise<number> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}
