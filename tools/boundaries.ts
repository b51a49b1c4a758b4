// The import boundaries, which define the folders that each folder may import. The rule with the longest matching
// prefix applies to a folder. Files with the same rule may import each other. architecture.test.ts fails on every
// import that no rule allows.

/** The imports that a folder and its subfolders may use. */
export type Boundary = {
  /** Folders that may be imported, including their subfolders. */
  folders: readonly string[]
  /** npm packages. `node:` stands for all modules of Node itself, and `@scope/` for all packages in a scope. */
  packages: readonly string[]
}

const engine = ['contract', 'server/database', 'server/tokens']
const place = 'server/data-directory'
/** Folders that auth, rest, functions and realtime may import. */
const surface = [...engine, 'server/http']
/** Folders that the surfaces for accounts import. */
const accounts = [...surface, 'server/mail', 'server/people', 'server/throttle', 'server/overload']
/** Folders that every part of a screen imports. */
const screen = ['web/data', 'web/amounts', 'web/api', 'web/ui']
/** Packages that every part of a screen imports. */
const react = ['react', 'lucide-react', '@tanstack/react-query']

/**
 * The rule for each folder.
 */
export const boundaries: Readonly<Record<string, Boundary>> = {
  contract: { folders: [], packages: [] },
  'contract/papers': { folders: ['contract'], packages: ['fflate', 'pkijs'] },
  'supabase/authorization': { folders: [], packages: [] },
  'supabase/migrations': { folders: [], packages: [] },
  'supabase/schemas': { folders: [], packages: [] },
  'supabase/functions': {
    folders: ['contract', 'server/functions/handlers'],
    packages: ['@supabase/supabase-js'],
  },

  server: { folders: ['contract', 'server'], packages: ['node:', 'fastify'] },
  'server/tokens': { folders: ['contract'], packages: ['node:', 'jose'] },
  'server/bank': {
    folders: [place, 'server/database', 'server/tokens', 'server/backup', 'server/settings'],
    packages: ['node:'],
  },
  'server/settings': {
    folders: ['contract', 'server/database', 'server/http', 'server/mail', 'server/people', 'server/backup'],
    packages: ['node:', '@fastify/proxy-addr'],
  },
  [place]: { folders: ['contract'], packages: ['node:'] },
  'server/database': {
    folders: ['contract', place, 'server/tokens'],
    packages: ['node:', 'pg', 'pg-protocol', '@electric-sql/pglite'],
  },
  'server/overload': { folders: ['server/database'], packages: ['node:'] },
  'server/throttle': { folders: ['server/database'], packages: ['node:'] },
  'server/jobs': {
    folders: [
      'server/database',
      'server/http',
      'server/people',
      'server/ledger',
      'server/mail',
      'server/settings',
      'server/operations',
    ],
    packages: ['node:', 'fastify'],
  },
  'server/ledger': { folders: ['server/database'], packages: [] },
  'server/mail': { folders: surface, packages: ['node:', 'nodemailer'] },
  'server/metrics': { folders: [], packages: ['node:', 'fastify'] },
  'server/http': { folders: ['contract', 'server/tokens'], packages: ['node:', 'fastify'] },
  'server/page': {
    folders: ['contract', 'server/http', 'server/database'],
    packages: ['node:', 'fastify', 'sirv'],
  },
  'server/people': {
    folders: [...engine, 'server/overload', 'server/people/testing'],
    packages: [
      'node:',
      '@node-rs/argon2',
      '@simplewebauthn/server',
      '@zxcvbn-ts/language-common',
      'otpauth',
      'uqr',
    ],
  },
  'server/people/testing': { folders: [], packages: ['node:'] },
  'server/auth': {
    folders: accounts,
    packages: ['node:', 'fastify'],
  },
  'server/rest': { folders: [...surface, 'server/rest/testing'], packages: ['node:', 'fastify'] },
  'server/rest/testing': {
    folders: ['server/database', 'server/http', 'server/rest'],
    packages: ['node:', 'fast-check'],
  },
  'server/realtime': { folders: surface, packages: ['node:', 'fastify', 'ws'] },
  'server/functions': {
    folders: [...accounts, 'server/functions/handlers', 'server/papers'],
    packages: ['node:', 'fastify'],
  },
  'server/papers': {
    folders: ['contract', place, 'server/papers/testing'],
    packages: ['node:', 'asn1js', 'fontkit', 'linebreak', 'pdfkit', 'pkijs', 'uqr'],
  },
  'server/papers/testing': { folders: ['contract', 'server/papers'], packages: ['node:', 'pkijs', 'unpdf'] },
  'server/functions/handlers': { folders: ['contract'], packages: [] },
  'server/backup': { folders: ['contract', 'server/database', place, 'server/ledger'], packages: ['node:'] },
  'server/operations': {
    folders: ['contract', 'server/database', 'server/http', 'server/mail', 'server/backup', place],
    packages: ['node:'],
  },
  'server/demo': { folders: ['contract', 'server'], packages: ['node:'] },
  'server/operator': { folders: ['contract', 'server'], packages: ['node:'] },

  web: {
    folders: ['web'],
    packages: ['node:', 'react', 'react-dom', 'vite', '@vitejs/plugin-react', '@tailwindcss/vite'],
  },
  'web/app': {
    folders: [
      'contract',
      'web/data',
      'web/amounts',
      'web/api',
      'web/ui',
      'web/dashboard',
      'web/money',
      'web/planning',
      'web/categories',
      'web/uploads',
      'web/transfers',
      'web/papers',
      'web/profile',
      'web/staff',
      'web/placeholders',
      'web/navigation',
      'web/people',
      'web/testing',
    ],
    packages: react,
  },
  'web/dashboard': {
    folders: [
      'contract',
      ...screen,
      'web/money',
      'web/planning',
      'web/profile',
      'web/navigation',
      'web/people',
      'web/storage',
      'web/testing',
    ],
    packages: react,
  },
  'web/staff': {
    folders: [
      'contract',
      ...screen,
      'web/money',
      'web/planning',
      'web/uploads',
      'web/navigation',
      'web/people',
      'web/testing',
    ],
    packages: [...react, 'react-dom'],
  },
  'web/profile': {
    folders: ['contract', ...screen, 'web/money', 'web/uploads', 'web/people', 'web/testing'],
    packages: [...react, 'fflate'],
  },
  'web/transfers': {
    folders: ['contract', ...screen, 'web/money', 'web/navigation', 'web/people', 'web/testing'],
    packages: react,
  },
  'web/papers': {
    folders: ['contract', ...screen, 'web/uploads', 'web/navigation', 'web/people', 'web/testing'],
    packages: react,
  },
  'web/papers/verify': { folders: ['contract'], packages: ['vite', '@tailwindcss/vite', 'node:'] },
  'web/placeholders': {
    folders: [
      'web/data',
      'web/amounts',
      'web/ui',
      'web/money',
      'web/navigation',
      'web/people',
      'web/testing',
    ],
    packages: react,
  },
  'web/planning': {
    folders: [
      'contract',
      ...screen,
      'web/money',
      'web/categories',
      'web/navigation',
      'web/people',
      'web/testing',
    ],
    packages: react,
  },
  'web/uploads': {
    folders: ['contract', ...screen, 'web/money', 'web/categories', 'web/people', 'web/testing'],
    packages: react,
  },
  'web/money': {
    folders: ['contract', ...screen, 'web/categories', 'web/people', 'web/testing'],
    packages: [...react, 'react-dom'],
  },
  'web/categories': {
    folders: ['contract', 'web/data', 'web/api', 'web/ui', 'web/navigation', 'web/people', 'web/testing'],
    packages: react,
  },
  'web/navigation': { folders: ['web/api', 'web/ui'], packages: ['react'] },
  'web/data': {
    folders: ['contract', 'web/amounts', 'web/people', 'web/api', 'web/ui', 'web/testing'],
    packages: ['@tanstack/react-query', '@supabase/supabase-js'],
  },
  'web/amounts': {
    folders: ['contract', 'web/api', 'web/storage', 'web/ui', 'web/testing'],
    packages: ['react', 'lucide-react'],
  },
  'web/people': {
    folders: ['contract', 'web/api', 'web/storage', 'web/ui', 'web/testing'],
    packages: ['react', 'lucide-react', '@supabase/supabase-js'],
  },
  'web/testing': {
    folders: ['contract', 'web/people', 'web/api', 'web/ui'],
    packages: [
      'node:timers/promises',
      'vitest',
      'react',
      '@tanstack/react-query',
      '@testing-library/',
      'fflate',
    ],
  },
  'web/offline': { folders: [], packages: ['vite', 'node:'] },
  'web/api': {
    folders: ['contract', 'web/offline', 'web/storage', 'web/ui/lazy', 'web/ui/toast'],
    packages: ['@supabase/supabase-js', '@supabase/auth-js/'],
  },
  'web/storage': { folders: [], packages: [] },
  'web/ui': { folders: ['web/storage', 'web/ui/lazy'], packages: ['react', 'react-dom', 'lucide-react'] },
  'web/ui/format': { folders: ['contract'], packages: [] },
  'web/ui/lazy': { folders: ['web/testing'], packages: ['react', '@tanstack/react-query'] },
}

/**
 * Folders with tests and tools, which are not part of the product. The same rule applies to all these folders, and they
 * may import any package.
 */
const outside = ['testing', 'tests', 'nightly', 'bench', 'tools', '.']
const seenFromOutside = ['contract', 'supabase', 'server', 'testing', 'tests', 'nightly', 'bench', 'tools']

/** Tests that use the server only through its URL. */
const black = ['tests/wire', 'tests/e2e', 'tests/process']
const seenByUrl = [
  'contract',
  'supabase/authorization',
  'server/papers/testing',
  'server/people/testing',
  'testing',
  'tests',
  'tools',
]

/** Packages that a `*.test.ts` file may import in addition to the packages that its folder may import. */
const testPackages = [
  'vitest',
  'fast-check',
  'node:',
  '@testing-library/',
  '@supabase/supabase-js',
  'smtp-server',
]

/** Returns the rule for a folder and the rule's own folder, or undefined if no rule applies to the folder. */
export function boundaryOf(folder: string): { name: string; boundary: Boundary } | undefined {
  const named = Object.keys(boundaries)
    .filter((name) => isWithin(name, folder))
    .toSorted((one, other) => other.length - one.length)[0]
  const boundary = named === undefined ? undefined : boundaries[named]
  if (named !== undefined && boundary !== undefined) return { name: named, boundary }
  const byUrl = black.find((name) => isWithin(name, folder))
  if (byUrl !== undefined) return { name: byUrl, boundary: { folders: seenByUrl, packages: ['*'] } }
  const tooling = outside.find((name) => isWithin(name, folder))
  return tooling === undefined
    ? undefined
    : { name: tooling, boundary: { folders: seenFromOutside, packages: ['*'] } }
}

/** Returns whether a file in folder `from` may import a file in folder `to`. */
export function mayImport(from: string, to: string): boolean {
  const own = boundaryOf(from)
  if (own === undefined) return false
  if (boundaryOf(to)?.name === own.name) return true
  return own.boundary.folders.some((allowed) => isWithin(allowed, to))
}

/** Returns whether a file in `folder` may import the package. */
export function mayImportPackage(folder: string, name: string, isTest: boolean): boolean {
  const packages = boundaryOf(folder)?.boundary.packages ?? []
  return [...packages, ...(isTest ? testPackages : [])].some((entry) => isPackage(name, entry))
}

/** Returns whether the entry `allowed` of a `packages` list permits the package. */
export function isPackage(name: string, allowed: string): boolean {
  if (allowed === '*') return true
  if (allowed.endsWith(':') || allowed.endsWith('/')) return name.startsWith(allowed)
  return name === allowed || name.startsWith(`${allowed}/`)
}

/** Returns whether `folder` is the folder `outer` or inside it. */
export function isWithin(outer: string, folder: string): boolean {
  return folder === outer || folder.startsWith(`${outer}/`)
}
