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
]

/** Every room; a file belongs to the row that names its folder exactly. */
export const rooms: readonly Room[] = [
  {
    folder: '.',
    belongs: 'configuration of tools that look for it at the root',
    never: 'code of the product',
    imports: ['tools/postgres'],
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
    folder: 'supabase/tests',
    belongs: 'one file per table or rule: who may, and who may not',
    never: 'tests that lean on one another, the server above its database',
    imports: ['contract', 'server/database', 'tools/postgres'],
    packages: ['node:', 'pg', 'vitest'],
  },
  {
    folder: 'supabase/functions/*',
    belongs: 'the hosted entrance of one function: the same handler, started by Deno',
    never: 'logic',
    imports: ['contract', 'server/functions'],
    packages: [],
  },
  {
    folder: 'server',
    belongs: '`main`, `config`, `start`, `app`, `demo`: the parts put together',
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
      'server/mail',
      'server/page',
      'server/demo',
    ],
    packages: ['node:', 'fastify', 'sirv'],
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
    folder: 'server/mail',
    belongs: 'the `Mailer` interface, SMTP, the outbox, the Spanish templates',
    never: 'decisions about when to send',
    imports: ['contract'],
    packages: ['node:', 'nodemailer'],
  },
  {
    folder: 'server/identity',
    belongs: 'users, passwords, sessions and confirmations as functions over `Database`',
    never: 'HTTP, status codes',
    imports: ['contract', 'server/database', 'server/tokens'],
    packages: ['node:', '@node-rs/argon2'],
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
    ],
    packages: ['node:', 'fastify'],
  },
  {
    folder: 'server/rest',
    belongs: '/rest/v1: parse, plan, SQL, answer; a PostgREST subset blind to tables',
    never: 'the words "transactions" or "budgets", permission checks (policies do them)',
    imports: ['contract', 'server/http', 'server/tokens', 'server/database'],
    packages: ['node:', 'fastify'],
  },
  {
    folder: 'server/functions',
    belongs: '/functions/v1, one file per function, named as on the wire',
    never: "trust in the caller's claim of a role without the database agreeing",
    imports: ['contract', 'server/http', 'server/tokens', 'server/database', 'server/identity'],
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
    packages: ['react', 'react-router', 'lucide-react', '@tanstack/react-query', '@tanstack/react-virtual'],
  },
  {
    folder: 'web/ledger',
    belongs: 'what two or more features show of the ledger: queries, live updates, row, badge',
    never: 'page layout, a part that one feature uses',
    imports: ['contract', 'web/session', 'web/backend', 'web/format', 'web/ui'],
    packages: [
      'react',
      'react-router',
      'lucide-react',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      '@supabase/supabase-js',
    ],
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
    imports: ['contract', 'tools/postgres', 'tools/ports'],
    packages: ['node:', '@supabase/supabase-js', 'vitest', 'ws'],
  },
  {
    folder: 'conformance/*',
    belongs: 'the behaviours of one surface',
    never: 'imports from server or web, sleeping instead of waiting',
    imports: ['contract', 'conformance', 'tools/ports'],
    packages: ['node:', '@supabase/supabase-js', 'vitest', 'ws'],
  },
  {
    folder: 'e2e',
    belongs: 'one story per file, in a real browser; the screens are read in Spanish',
    never: 'imports from server or web, sleeping instead of waiting',
    imports: ['contract', 'tools/set-up', 'tools/postgres'],
    packages: ['node:', '@playwright/test', '@axe-core/playwright'],
  },
  {
    folder: 'bench',
    belongs: 'scenarios with a budget each, printed as ratios to a named baseline',
    never: 'imports from web, figures without their baseline',
    imports: ['contract', 'server/database', 'server/rest', 'server/tokens', 'tools/postgres', 'tools/ports'],
    packages: ['node:', '@electric-sql/pglite', 'pg-protocol'],
  },
  {
    folder: 'tools',
    belongs: 'the tests of the code as text; the programs behind the npm scripts',
    never: 'anything a linter already does',
    imports: ['tools/set-up', 'tools/postgres'],
    packages: ['node:', 'vitest', 'vite'],
  },
  {
    folder: 'tools/set-up',
    belongs: 'what runs before anything is installed: plain JavaScript for Node 20',
    never: 'a dependency that must already be there',
    imports: [],
    packages: ['node:', '@playwright/test'],
  },
  {
    folder: 'tools/ports',
    belongs: 'ports of the loopback address for servers of tests and measurements',
    never: 'anything of the product',
    imports: [],
    packages: ['node:'],
  },
  {
    folder: 'tools/postgres',
    belongs: 'finding PostgreSQL and starting a throw-away one',
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
