// The architecture as data: every folder of code, what belongs there and what it may import. tidy.test.ts
// refuses an import that is not listed and a folder that is not in the table; ARCHITECTURE.md prints it (print-rooms.ts).

/** One folder of code. */
export type Room = {
  /** Relative to the root of the checkout; a `*` is any one folder, and such rooms may not import each other. */
  folder: string
  /** What is kept here. */
  belongs: string
  /** What review looks for first, because it must not be here. */
  never: string
  /** The other rooms it may import from. */
  imports: readonly string[]
  /** The npm packages it may import; `node:` stands for Node's own modules. */
  packages: readonly string[]
}

/** What a `*.test.ts` may import on top of its room's packages. */
export const testPackages: readonly string[] = [
  'vitest',
  'fast-check',
  'node:',
  '@testing-library/',
  '@supabase/supabase-js',
  'smtp-server',
]

/** Every room; a file belongs to the row that names its folder exactly. */
export const rooms: readonly Room[] = [
  {
    folder: '.',
    belongs: 'configuration of tools that look for it at the root',
    never: 'code of the product',
    imports: ['tools/postgres', 'tools/hosted'],
    packages: ['vitest'],
  },
  {
    folder: 'contract',
    belongs: 'types and constants that browser and server agree on; parsers of function payloads',
    never: 'Node or DOM, supabase-js types, formatting, Spanish sentences',
    imports: [],
    packages: [],
  },
  {
    folder: 'supabase/migrations',
    belongs: "the product's tables, policies, grants, triggers and comments",
    never: 'roles, changes to `auth`, anything only one of ours and hosted accepts, edits to a released file',
    imports: [],
    packages: [],
  },
  {
    folder: 'supabase/authorization',
    belongs: 'who may do what, as a list of sentences, and its reader',
    never: 'how it is enforced (migrations) or tried (tests)',
    imports: [],
    packages: [],
  },
  {
    folder: 'supabase/tests',
    belongs: 'one file per table or rule: who may, and who may not',
    never: 'tests that lean on one another, the server above its database',
    imports: [
      'contract',
      'server/backup',
      'server/database',
      'server/ledger',
      'supabase/authorization',
      'tools/hosted',
      'tools/postgres',
    ],
    packages: ['node:', 'pg', 'vitest'],
  },
  {
    folder: 'supabase/functions/_project',
    belongs:
      'a hosted project as the place where the functions run: its API by the client, its keys, its CORS',
    never: 'Node, a sentence, a rule of a function, words of another function than those of the wire',
    imports: ['contract', 'server/functions/handlers'],
    packages: ['@supabase/supabase-js'],
  },
  {
    folder: 'supabase/functions/*',
    belongs: 'the hosted entrance of one function: the same handler, started by Deno',
    never: 'logic',
    imports: ['supabase/functions/_project'],
    packages: [],
  },
  {
    folder: 'server',
    belongs: '`main`, `config`, `open-bank`, `start`, `app`, `demo`: the parts put together',
    never: 'logic',
    imports: [
      'contract',
      'server/http',
      'server/auth',
      'server/rest',
      'server/functions',
      'server/realtime',
      'server/identity',
      'server/tokens',
      'server/database',
      'server/ledger',
      'server/mail',
      'server/metrics',
      'server/throttle',
      'server/page',
      'server/demo',
      'server/operator',
      'server/backup',
    ],
    packages: ['node:', 'fastify', 'sirv'],
  },
  {
    folder: 'server/commands',
    belongs: "the operator's programs, one file for each npm script: read the call, run, say how it went",
    never: 'logic that a running server needs too',
    imports: [
      'contract',
      'server',
      'server/operator',
      'server/backup',
      'server/database',
      'server/ledger',
      'server/page',
    ],
    packages: ['node:'],
  },
  {
    folder: 'server/operator',
    belongs: "the operator's socket, both its sides, and the names of the commands that it carries",
    never: 'what a command does',
    imports: ['contract', 'server/backup', 'server/database', 'server/ledger', 'server/identity'],
    packages: ['node:'],
  },
  {
    folder: 'server/backup',
    belongs: 'the one logical format: writing, checking, loading and comparing it; the schedule',
    never: 'a list of tables to save, words of a surface',
    imports: ['contract', 'server/database', 'server/ledger'],
    packages: ['node:'],
  },
  {
    folder: 'server/demo',
    belongs: 'the believable bank of `npm run demo`',
    never: 'anything a real bank runs on',
    imports: ['contract', 'server/database', 'server/identity'],
    packages: ['node:'],
  },
  {
    folder: 'server/http',
    belongs: 'plumbing of requests and answers, the error envelope, CORS, limits, log lines',
    never: "SQL, words of the product, any surface's codes",
    imports: ['contract', 'server/tokens'],
    packages: ['node:', 'fastify'],
  },
  {
    folder: 'server/page',
    belongs: 'the built page, the headers that protect it, and its public configuration',
    never: 'anything secret, an answer of a surface',
    imports: ['contract', 'server/http', 'server/database'],
    packages: ['node:', 'fastify', 'sirv'],
  },
  {
    folder: 'server/tokens',
    belongs: 'sign and verify; claims in, claims out; the clock is passed in',
    never: 'database reads',
    imports: ['contract'],
    packages: ['node:', 'jose'],
  },
  {
    folder: 'server/database',
    belongs:
      'the `Database` interface, its two adapters, the scope of a request, migrations, the change feed',
    never: 'knowledge of any table of the product, SQL built from values',
    imports: ['contract', 'server/tokens'],
    packages: ['node:', 'pg', 'pg-protocol', '@electric-sql/pglite'],
  },
  {
    folder: 'server/database/platform',
    belongs: 'SQL for what a hosted project has before its first migration: roles, `auth`, the publication',
    never: 'tables of the product',
    imports: [],
    packages: [],
  },
  {
    folder: 'server/ledger',
    belongs: 'the verification of the ledger, and the daily check',
    never: 'postings (the triggers do them), what verification decides (SQL does)',
    imports: ['contract', 'server/database'],
    packages: ['node:'],
  },
  {
    folder: 'server/mail',
    belongs: 'the `Mailer` interface, SMTP, the queue before it, the outbox, the Spanish templates',
    never: 'decisions about when to send',
    imports: ['contract', 'server/database', 'server/tokens'],
    packages: ['node:', 'nodemailer'],
  },
  {
    folder: 'server/metrics',
    belongs: "what an operator's Prometheus reads: the text format, the metrics, their port",
    never: 'labels with anything of a person, a metric without bounded labels',
    imports: ['server/database'],
    packages: ['node:', 'fastify'],
  },
  {
    folder: 'server/identity',
    belongs: 'users, passwords, sessions and confirmations as functions over `Database`',
    never: 'HTTP, status codes',
    imports: ['contract', 'server/database', 'server/tokens'],
    packages: ['node:', '@node-rs/argon2', '@zxcvbn-ts/language-common', 'otpauth', 'uqr'],
  },
  {
    folder: 'server/throttle',
    belongs: 'how often what may be asked for, by whom it is counted, and the counts',
    never: 'HTTP, status codes, a figure outside of `limits.ts`',
    imports: ['contract', 'server/database'],
    packages: ['node:'],
  },
  {
    folder: 'server/auth',
    belongs: '/auth/v1, one file per endpoint: parse, call identity, answer',
    never: 'another surface, password hashing, raw SQL beyond one SQL statement',
    imports: [
      'contract',
      'server/http',
      'server/tokens',
      'server/database',
      'server/mail',
      'server/identity',
      'server/throttle',
    ],
    packages: ['node:', 'fastify'],
  },
  {
    folder: 'server/rest',
    belongs: '/rest/v1: parse, plan, SQL, answer; a PostgREST subset blind to tables',
    never: 'the words "transactions" or "budgets", permission checks (policies do them)',
    imports: ['contract', 'server/http', 'server/tokens', 'server/database'],
    packages: ['fast-check', 'node:', 'fastify'],
  },
  {
    folder: 'server/functions/handlers',
    belongs:
      'the functions themselves, one file each, named as on the wire: parse, ask the place, answer, refuse',
    never: 'Node, SQL, anything that Deno could not run',
    imports: ['contract'],
    packages: [],
  },
  {
    folder: 'server/functions',
    belongs: '/functions/v1, and this server as the place where the functions run',
    never: "trust in the caller's claim of a role without the database agreeing",
    imports: [
      'contract',
      'server/functions/handlers',
      'server/http',
      'server/tokens',
      'server/database',
      'server/identity',
      'server/throttle',
    ],
    packages: ['node:', 'fastify'],
  },
  {
    folder: 'server/realtime',
    belongs: '/realtime/v1: Phoenix frames, channels, subscriptions, delivery under row-level security',
    never: 'polling loops per subscriber, unbounded queues',
    imports: ['contract', 'server/http', 'server/tokens', 'server/database'],
    packages: ['node:', 'fastify', 'ws'],
  },
  {
    folder: 'web',
    belongs: "the page's entrance and its build",
    never: 'screens',
    imports: ['web/app', 'web/backend', 'web/session', 'web/ui'],
    packages: [
      'node:',
      'react',
      'react-dom',
      'react-router',
      'vite',
      '@vitejs/plugin-react',
      '@tailwindcss/vite',
      '@tanstack/react-query',
      '@fontsource-variable/figtree',
    ],
  },
  {
    folder: 'web/app',
    belongs: 'routes, shell, gate, error boundary',
    never: 'fetching',
    imports: [
      'contract',
      'web/features/*',
      'web/ledger',
      'web/session',
      'web/backend',
      'web/format',
      'web/ui',
    ],
    packages: ['react', 'react-router', 'lucide-react', '@tanstack/react-query'],
  },
  {
    folder: 'web/features/*',
    belongs: "one route's page, its parts and its `copy.ts`; flat",
    never: 'another feature, `createClient`, sub-folders',
    imports: ['contract', 'web/ledger', 'web/session', 'web/backend', 'web/format', 'web/ui'],
    packages: ['react', 'react-dom', 'react-router', 'lucide-react', '@tanstack/react-query'],
  },
  {
    folder: 'web/ledger',
    belongs: 'what two or more features show of the ledger: queries, live updates, row, badge',
    never: 'page layout, a part that one feature uses',
    imports: ['contract', 'web/session', 'web/backend', 'web/format', 'web/ui'],
    packages: ['react', 'react-router', 'lucide-react', '@tanstack/react-query', '@supabase/supabase-js'],
  },
  {
    folder: 'web/session',
    belongs: 'who is signed in, and as what',
    never: 'screens',
    imports: ['contract', 'web/backend'],
    packages: ['react', '@tanstack/react-query', '@supabase/supabase-js'],
  },
  {
    folder: 'web/backend',
    belongs: 'the one client; `unwrap`',
    never: 'hooks, interface',
    imports: ['contract'],
    packages: ['@supabase/supabase-js'],
  },
  {
    folder: 'web/format',
    belongs: 'pure functions from a number or a date to text',
    never: 'React, state, a currency guessed from the locale',
    imports: ['contract'],
    packages: [],
  },
  {
    folder: 'web/ui',
    belongs: 'buttons, dialogs, toasts: look and accessibility',
    never: 'data, words of the product, copy, `format`',
    imports: [],
    packages: ['react', 'react-dom', 'lucide-react'],
  },
  {
    folder: 'conformance',
    belongs: 'the real client against a running server, one behaviour per file',
    never: 'imports from server or web, sleeping instead of waiting',
    imports: ['contract', 'tools/authenticator', 'tools/hosted', 'tools/postgres', 'tools/ports'],
    packages: ['node:', '@supabase/supabase-js', 'supabase-js-2.30', 'vitest', 'ws'],
  },
  {
    folder: 'conformance/*',
    belongs: 'the behaviours of one surface',
    never: 'imports from server or web, sleeping instead of waiting',
    imports: [
      'contract',
      'conformance',
      'supabase/authorization',
      'tools/authenticator',
      'tools/clock',
      'tools/ports',
      'tools/postgres',
    ],
    packages: ['node:', '@supabase/supabase-js', 'supabase-js-2.30', 'vitest', 'ws'],
  },
  {
    folder: 'e2e',
    belongs: 'one story per file, in a real browser; the screens are read in Spanish',
    never: 'imports from server or web, sleeping instead of waiting',
    imports: [
      'contract',
      'tools/authenticator',
      'tools/set-up',
      'tools/postgres',
      'tools/ports',
      'tools/hosted',
    ],
    packages: ['node:', '@playwright/test', '@axe-core/playwright', '@supabase/supabase-js'],
  },
  {
    folder: 'bench',
    belongs: 'scenarios of `npm run bench`: each with its limit, its peers and its line, as ratios',
    never: 'imports from web, figures without their baseline, sides that answer different rows',
    imports: [
      'contract',
      'server/database',
      'server/identity',
      'server/ledger',
      'server/rest',
      'server/tokens',
      'tools/postgres',
      'tools/ports',
      'tools/report',
      'tools/set-up',
    ],
    packages: [
      'node:',
      '@electric-sql/pglite',
      '@node-rs/argon2',
      '@playwright/test',
      '@supabase/supabase-js',
      'pg',
      'pg-protocol',
      'vitest',
    ],
  },
  {
    folder: 'bench/peers',
    belongs: 'who is compared, each started as its documentation says; packages and lockfile of its own',
    never: 'anything that the product or its tests need',
    imports: [],
    packages: ['node:', '@hono/node-server', '@supabase/lite', 'jsonwebtoken', 'postgraphile'],
  },
  {
    folder: 'soak',
    belongs:
      'suites of `npm run soak`, one file each, that answer figures with their lines; short runs of them as tests',
    never: 'switches in the product, a figure without its line or seed',
    imports: [
      'contract',
      'server/database',
      'server/ledger',
      'server/identity',
      'server/operator',
      'server/rest',
      'supabase/tests',
      'tools/postgres',
      'tools/ports',
      'tools/proxy',
      'tools/report',
      'tools/set-up',
    ],
    packages: ['node:', '@electric-sql/pglite', '@supabase/supabase-js', 'fast-check', 'pg', 'vitest', 'ws'],
  },
  {
    folder: 'tools',
    belongs: 'the tests of the code as text; the programs behind the npm scripts',
    never: 'anything a linter already does',
    imports: ['tools/set-up', 'tools/postgres'],
    packages: ['node:', 'vitest', 'vite', 'yaml'],
  },
  {
    folder: 'tools/database-types',
    belongs: "`npm run types`: the schema's TypeScript, written from the catalogue",
    never: 'types by hand, rules that the catalogue does not say',
    imports: ['server/database', 'server/rest'],
    packages: ['node:'],
  },
  {
    folder: 'tools/set-up',
    belongs: 'what runs before anything is installed: plain JavaScript for Node 20',
    never: 'a dependency that must already be there',
    imports: [],
    packages: ['node:', '@playwright/test'],
  },
  {
    folder: 'tools/authenticator',
    belongs: "an authenticator app on somebody's phone, for tests",
    never: 'anything of the product',
    imports: [],
    packages: ['node:', 'otpauth'],
  },
  {
    folder: 'tools/hosted',
    belongs:
      'a hosted project on loopback, for tests: the Supabase CLI, what it deploys to, Deno, a static host',
    never: 'anything of the product',
    imports: ['tools/ports'],
    packages: ['node:'],
  },
  {
    folder: 'tools/ports',
    belongs:
      'ports of the loopback address for servers of tests and measurements, and when one answers there',
    never: 'anything of the product',
    imports: [],
    packages: ['node:'],
  },
  {
    folder: 'tools/clock',
    belongs: 'a clock for tests of what must happen within a time',
    never: 'anything of the product',
    imports: [],
    packages: ['node:'],
  },
  {
    folder: 'tools/proxy',
    belongs: 'finding HAProxy, and running what `deploy` has for it',
    never: 'a configuration of its own',
    imports: ['tools/ports'],
    packages: ['node:'],
  },
  {
    folder: 'tools/report',
    belongs: 'sections of reports that programs write into docs/',
    never: 'what was measured',
    imports: [],
    packages: ['node:'],
  },
  {
    folder: 'tools/postgres',
    belongs: 'finding PostgreSQL, its replicas and poolers, and starting throw-away ones',
    never: "the product's SQL",
    imports: ['tools/ports'],
    packages: ['node:'],
  },
]

/** The row that names a folder, or undefined when none does. */
export function roomOf(folder: string): Room | undefined {
  return rooms.find((room) => matchesFolder(room.folder, folder))
}

/** Whether a folder is what a row's `folder` stands for. */
export function matchesFolder(pattern: string, folder: string): boolean {
  const wanted = pattern.split('/')
  const given = folder.split('/')
  return (
    wanted.length === given.length && wanted.every((part, index) => part === '*' || part === given[index])
  )
}
