// The suites of identity with small numbers; `npm run nightly` has the large ones. Each was seen red with its plant: an
// older token that moves the session on (refresh model, races), a real token among the mutants, hashes on the main
// thread (storm), a server that answers 500 for an unreachable database (outage), a profile that does not follow its
// user (roles), a right body among the wrong ones, a first administrator called "password", a refresh token in
// somebody's own data (secrets). How long a refusal takes is measured by the long run alone.
import { expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import type { Engine, Figure } from '#nightly/report/figure.ts'
import { runDefaultAccounts } from './default-accounts.ts'
import { runDatabaseOutage } from './outage.ts'
import { runRefreshModel } from './refresh-model.ts'
import { runRefreshRaces, runStrictRotation } from './races.ts'
import { runSecrets } from './secrets.ts'
import { runSignInStorm } from './storm.ts'
import { runRefusedBodies } from '#nightly/rest/refused-bodies.ts'
import { runRoles } from '#nightly/ledger/roles.ts'
import { runTokenCorpus } from './tokens.ts'

const hasPostgres = findPostgresBinaries() !== undefined
const engines: Engine[] = hasPostgres ? ['embedded', 'PostgreSQL'] : ['embedded']

function expectAllMet(figures: readonly Figure[]): void {
  for (const { what, value, line } of figures)
    process.stdout.write(`${what}: ${value} ${line === undefined ? '' : `(${line})`}\n`)
  expect(figures.filter(({ isMet }) => !isMet)).toEqual([])
}

test.each(engines)('refreshing is what the reference says, also at the same moment (%s)', async (engine) => {
  expectAllMet(await runRefreshModel({ engine, sequences: 60 }))
})

test('a session that could be forked would be found', async () => {
  const figures = await runRefreshModel({ engine: 'embedded', sequences: 60, plant: 'fork' })

  expect(figures.some(({ isMet }) => !isMet)).toBe(true)
})

test('no mutant of a token opens anything, at any endpoint', async () => {
  expectAllMet(await runTokenCorpus({ engine: 'embedded', flips: 60 }))
})

test('a token that opens something would be found', async () => {
  const figures = await runTokenCorpus({ engine: 'embedded', flips: 0, plant: 'accept' })

  expect(figures.some(({ isMet }) => !isMet)).toBe(true)
})

test('twenty tabs that refresh at once all stay signed in', async () => {
  expectAllMet(await runRefreshRaces({ engine: 'embedded', tabs: 20, rounds: 3, jitterMs: 50 }))

  const [signedOut] = await runStrictRotation()
  expect(signedOut?.isMet).toBe(false)
})

test('a storm of sign-ins is turned away politely', async () => {
  const figures = await runSignInStorm({ engine: 'embedded', signIns: 200 })

  // How late the event loop was depends on what else the machine does: the long run judges it.
  for (const { what, value } of figures) process.stdout.write(`${what}: ${value}\n`)
  expect(figures.find(({ what }) => what.startsWith('answered with'))).toMatchObject({ isMet: true })
  expect(figures.find(({ what }) => what.startsWith('memory'))).toMatchObject({ isMet: true })
})

test('a server that hashes passwords where it serves would be found', async () => {
  const figures = await runSignInStorm({ engine: 'embedded', signIns: 40, plant: 'blocking' })

  expect(figures.find(({ what }) => what.startsWith('event loop late'))).toMatchObject({ isMet: false })
})

test.each(engines)(
  'the role that is shown is the one that counts, whoever changes it (%s)',
  async (engine) => {
    expectAllMet(await runRoles({ engine, operations: 300, seed: 20_261_121 }))
  },
)

test('a profile that shows another role would be found', async () => {
  const figures = await runRoles({ engine: 'embedded', operations: 60, seed: 20_261_121, plant: 'mirror' })

  expect(figures.some(({ isMet }) => !isMet)).toBe(true)
})

test('a body that is wrong in one thing has no effect', async () => {
  expectAllMet(await runRefusedBodies({ engine: 'embedded', calls: 300, seed: 20_261_121 }))
})

test('a body that has an effect would be found', async () => {
  const figures = await runRefusedBodies({ engine: 'embedded', calls: 5, seed: 20_261_121, plant: 'valid' })

  expect(figures.filter(({ isMet }) => !isMet)).toHaveLength(2)
})

test('a new bank has no account that anybody could guess', async () => {
  expectAllMet(await runDefaultAccounts({ engine: 'embedded', pairs: 60 }))
})

test('an account that anybody could guess would be found', async () => {
  const figures = await runDefaultAccounts({ engine: 'embedded', pairs: 60, plant: 'guessed' })

  expect(figures.some(({ isMet }) => !isMet)).toBe(true)
})

// pg_dump reads PostgreSQL only.
test.skipIf(!hasPostgres)('a copy of the database and the log hold nothing to sign in with', async () => {
  expectAllMet(await runSecrets({ people: 4 }))
})

// pg_dump reads PostgreSQL only.
test.skipIf(!hasPostgres)('a secret that is kept would be found', async () => {
  const figures = await runSecrets({ people: 1, plant: 'kept' })

  expect(figures.filter(({ isMet }) => !isMet)).toHaveLength(1)
})

// The embedded engine has no server that could be away.
test.skipIf(!hasPostgres)('nobody is signed out while the database is away', async () => {
  expectAllMet(await runDatabaseOutage({ clients: 10, seconds: 5 }))
})
