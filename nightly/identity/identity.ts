/** The suites of identity with the numbers that security.md asks for; each answers its figures. */
import { runDefaultAccounts } from './default-accounts.ts'
import { runDatabaseOutage } from './outage.ts'
import { runRefreshModel } from './refresh-model.ts'
import { runRefreshRaces } from './races.ts'
import { runSecrets } from './secrets.ts'
import { runSignInStorm } from './storm.ts'
import { runRefusalTiming } from './timing.ts'
import { runTokenCorpus } from './tokens.ts'
import { onBoth } from '#nightly/report/figure.ts'
import { type Suites, sized } from '#nightly/report/order.ts'
import { runRefusedBodies } from '#nightly/rest/refused-bodies.ts'
import { runRoles } from '#nightly/ledger/roles.ts'

/** Name → title, and the run at a scale; 1 is what security.md asks for. */
export const identitySuites: Suites = {
  'token-corpus': {
    title: 'Mutants of access tokens',
    run: ({ scale }) => runTokenCorpus({ engine: 'PostgreSQL', flips: sized(2000, scale) }),
  },
  'refresh-model': {
    title: 'Sequences of refreshing against a reference',
    run: ({ scale }) => runRefreshModel({ engine: 'PostgreSQL', sequences: sized(10_000, scale) }),
  },
  'refresh-races': {
    title: 'Tabs that refresh at once',
    run: ({ scale }) =>
      runRefreshRaces({ engine: 'PostgreSQL', tabs: 20, rounds: sized(200, scale), jitterMs: 3000 }),
  },
  'refusal-timing': {
    title: 'Time of the three refusals',
    run: ({ scale }) => runRefusalTiming({ engine: 'PostgreSQL', each: sized(400, scale) }),
  },
  'sign-in-storm': {
    title: 'Sign-ins at once',
    async run({ scale }) {
      const signIns = sized(500, scale)
      return onBoth((engine) => runSignInStorm({ engine, signIns }))
    },
  },
  'database-outage': {
    title: 'The database away under signed-in clients',
    run: ({ scale }) => runDatabaseOutage({ clients: 50, seconds: sized(60, scale) }),
  },
  'default-accounts': {
    title: 'Names and passwords that anybody would try',
    run: ({ scale }) => runDefaultAccounts({ engine: 'PostgreSQL', pairs: sized(3000, scale) }),
  },
  secrets: {
    title: 'Secrets in a copy of the database and in the log',
    run: ({ scale }) => runSecrets({ people: sized(100, scale) }),
  },
  roles: {
    title: 'Roles in two places',
    run: ({ scale, seed }) =>
      onBoth((engine) => runRoles({ engine, operations: sized(10_000, scale), seed })),
  },
  'refused-bodies': {
    title: 'Wrong bodies for the functions',
    run: ({ scale, seed }) => runRefusedBodies({ engine: 'PostgreSQL', calls: sized(10_000, scale), seed }),
  },
}
