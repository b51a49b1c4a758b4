import { describe, expect, test } from 'vitest'
import { rules } from './tidy-rules.ts'
import { readTree } from './tree.ts'

const files = readTree()

describe('this repository', () => {
  test('was really read', () => {
    const read = files.map((file) => file.path)

    expect(read).toEqual(expect.arrayContaining(['package.json', 'contract/limits.ts', 'tools/tidy.test.ts']))
    for (const workspace of ['contract', 'server', 'web', 'supabase', 'tools']) {
      expect(read.filter((file) => file.startsWith(`${workspace}/`)).length).toBeGreaterThan(5)
    }
    expect(read.filter((file) => /node_modules|\/dist\//.test(file))).toEqual([])
  })

  test.each(Object.entries(rules))('keeps the rule %s', (_, rule) => {
    expect(files.flatMap(rule)).toEqual([])
  })
})

/** For each rule: a planted offence with the words its message must contain, and something close that is fine. */
const plants: Array<{
  rule: keyof typeof rules
  offence: string
  path: string
  text: string
  says: string
  fine: { path: string; text: string }
}> = [
  {
    rule: 'knownFolder',
    offence: 'a folder that is in no row',
    path: 'storage/objects.ts',
    text: '',
    says: 'add a row to tools/boundaries.ts',
    fine: { path: 'docs/decisions/0001-npm-workspaces.md', text: '' },
  },
  {
    rule: 'allowedImports',
    offence: 'one surface importing another',
    path: 'server/rest/plan/plan.ts',
    text: "import { signUp } from '#auth/signup.ts'",
    says: 'server/rest may not import server/auth',
    fine: { path: 'server/rest/plan/plan.ts', text: "import { Database } from '#database/database.ts'" },
  },
  {
    rule: 'allowedImports',
    offence: 'one feature importing another',
    path: 'web/features/admin/admin-page.tsx',
    text: "import { ExpenseForm } from '#features/dashboard/expense-form.tsx'",
    says: 'web/features/* may not import web/features/dashboard',
    fine: {
      path: 'web/features/admin/admin-page.tsx',
      text: "import { copy } from '#features/admin/copy.ts'",
    },
  },
  {
    rule: 'allowedImports',
    offence: 'a type-only import',
    path: 'web/ui/badge.tsx',
    text: "import type { Category } from '@finanzas/contract/categories.ts'",
    says: 'web/ui may not import contract',
    fine: {
      path: 'web/ledger/badge.tsx',
      text: "import type { Category } from '@finanzas/contract/categories.ts'",
    },
  },
  {
    rule: 'allowedImports',
    offence: 'a re-export',
    path: 'server/http/bearer.ts',
    text: "export {\n  planRead,\n} from '#rest/plan.ts'",
    says: 'server/http/bearer.ts:3: server/http may not import server/rest',
    fine: { path: 'server/http/bearer.ts', text: "export { verify } from '#tokens/access-token.ts'" },
  },
  {
    rule: 'allowedImports',
    offence: 'a star re-export',
    path: 'contract/rows.ts',
    text: "export * from 'node:fs'",
    says: 'contract may not import the package node:fs',
    fine: { path: 'contract/rows.ts', text: "export type { Role } from './claims.ts'" },
  },
  {
    rule: 'allowedImports',
    offence: 'import() in code',
    path: 'server/mail/mailer.ts',
    text: "const { signUp } = await import('#auth/signup.ts')",
    says: 'server/mail may not import server/auth',
    fine: { path: 'server/mail/mailer.ts', text: "const { outbox } = await import('./outbox.ts')" },
  },
  {
    rule: 'allowedImports',
    offence: 'import() in a type',
    path: 'server/tokens/access-token.ts',
    text: "type Db = import('#database/database.ts').Database",
    says: 'server/tokens may not import server/database',
    fine: {
      path: 'server/tokens/access-token.ts',
      text: "type Claims = import('@finanzas/contract/claims.ts').Claims",
    },
  },
  {
    rule: 'allowedImports',
    offence: 'import() of something computed',
    path: 'server/app.ts',
    text: 'const surface = await import(file)',
    says: 'cannot be followed',
    fine: { path: 'server/app.ts', text: "// import(file)\nconst text = 'import(file)'" },
  },
  {
    rule: 'allowedImports',
    offence: 'an import for its effect',
    path: 'web/format/money.ts',
    text: "import '#session/provider.tsx'",
    says: 'web/format may not import web/session',
    fine: { path: 'web/main.tsx', text: "import './main.css'" },
  },
  {
    rule: 'allowedImports',
    offence: 'a climbing import',
    path: 'tests/wire/rest/singular.test.ts',
    text: "import { startServer } from '../../server/app.ts'",
    says: 'climbs',
    fine: {
      path: 'tests/wire/rest/singular.test.ts',
      text: "import { signedIn } from '#tests/wire/session.ts'",
    },
  },
  {
    rule: 'allowedImports',
    offence: 'the wall between web and server',
    path: 'web/app/layout.tsx',
    text: "import { config } from '@finanzas/server/config.ts'",
    says: 'cannot be followed',
    fine: { path: 'web/app/layout.tsx', text: "import { AdminPage } from '#features/admin/admin-page.tsx'" },
  },
  {
    rule: 'allowedImports',
    offence: 'a package that is not for this room',
    path: 'web/features/admin/admin-page.tsx',
    text: "import { createClient } from '@supabase/supabase-js'",
    says: 'may not import the package @supabase/supabase-js',
    fine: { path: 'web/backend/client.ts', text: "import { createClient } from '@supabase/supabase-js'" },
  },
  {
    rule: 'tellingNames',
    offence: 'a drawer of a folder',
    path: 'server/utils/dates.ts',
    text: '',
    says: '"utils" says nothing',
    fine: { path: 'web/format/dates.ts', text: '' },
  },
  {
    rule: 'tellingNames',
    offence: 'a file of types',
    path: 'server/rest/types.ts',
    text: '',
    says: 'beside its user',
    fine: { path: 'server/rest/json-types.ts', text: '' },
  },
  {
    rule: 'noBarrels',
    offence: 'an index file',
    path: 'web/ui/index.ts',
    text: "export * from './button.tsx'",
    says: 'no barrels',
    fine: { path: 'supabase/functions/manage-users/index.ts', text: '' },
  },
  {
    rule: 'noDefaultExports',
    offence: 'a default export',
    path: 'web/ui/button.tsx',
    text: 'export default function Button() {}',
    says: 'export by name',
    fine: { path: 'web/vite.config.ts', text: 'export default {}' },
  },
  {
    rule: 'noDefaultExports',
    offence: 'a default export by another name',
    path: 'web/ui/button.tsx',
    text: 'export { Button as default }',
    says: 'export by name',
    fine: { path: 'web/ui/button.tsx', text: "const text = 'export default'" },
  },
  {
    rule: 'noTodos',
    offence: 'a promise in a comment',
    path: 'server/app.ts',
    text: '/* one day\n TODO: limits */',
    says: 'server/app.ts:2: do it, open an issue',
    fine: { path: 'web/features/admin/copy.ts', text: "const all = 'VER TODO' // Everything, in capitals." },
  },
  {
    rule: 'noTodos',
    offence: 'a promise in SQL',
    path: 'supabase/migrations/20261122000100_profiles.sql',
    text: 'create table profiles (); -- FIXME grants',
    says: 'do it, open an issue',
    fine: {
      path: 'supabase/migrations/20261122000100_profiles.sql',
      text: "insert into faq values ('VER TODO');",
    },
  },
  {
    rule: 'noFocusedTests',
    offence: 'a test that runs alone',
    path: 'contract/money.test.ts',
    text: "test.only('a sum', () => {})",
    says: '.only hides every other test',
    fine: {
      path: 'contract/money.test.ts',
      text: "test('.only one account is listed: test.only(', () => {})",
    },
  },
  {
    rule: 'explainedSkips',
    offence: 'a test skipped in silence',
    path: 'contract/money.test.ts',
    text: "\ntest.skip('a sum', () => {})",
    says: 'needs the reason',
    fine: {
      path: 'contract/money.test.ts',
      text: "// The engine has no clock.\ntest.skip('a sum', () => {})",
    },
  },
  {
    rule: 'noMachinePaths',
    offence: 'a path of one machine',
    path: 'docs/operations.md',
    text: `The data is in ${['', 'home', 'ana', 'bank'].join('/')}.`,
    says: 'relative to the checkout',
    fine: { path: 'docs/operations.md', text: 'See https://example.test/home/page and /usr/lib/postgresql.' },
  },
  {
    rule: 'noConflictMarkers',
    offence: 'a merge that was not finished',
    path: 'docs/operations.md',
    text: `| a |\n${'<'.repeat(7)} HEAD\n| b |`,
    says: 'docs/operations.md:2: a conflict marker',
    fine: { path: 'docs/operations.md', text: 'Title\n=======\n```\n  <<<<<<< indented\n```' },
  },
]

describe('the rules', () => {
  test.each(plants)('$rule refuses $offence', ({ rule, path, text, says, fine }) => {
    expect(rules[rule]?.({ path, text })).toEqual([expect.stringContaining(says)])
    expect(rules[rule]?.(fine)).toEqual([])
  })

  test('have a planted offence each', () => {
    expect(new Set(plants.map((plant) => plant.rule))).toEqual(new Set(Object.keys(rules)))
  })
})
