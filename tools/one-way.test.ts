// Things that the page, the tests and the tools do in one way only (STYLE.md). Each message has the format
// `file:line: what to do instead`.
import { expect, test } from 'vitest'
import { type SourceFile, readTree } from './tree.ts'

const tree = readTree()
const page = tree.filter(
  ({ path: file }) =>
    /^web\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.includes('/testing/'),
)
/** Everything that needs a bank but is not the product, except for the kit itself. */
const outside = tree.filter(
  ({ path: file }) =>
    /^(?:tests|nightly|bench|tools)\/.*\.[cm]?[jt]s$|\.test\.tsx?$/.test(file) &&
    file !== 'tools/one-way.test.ts',
)

type Rule = {
  /** The rule, as the name of its test. */
  name: string
  files: readonly SourceFile[]
  /** The other way. */
  other: RegExp
  instead: string
  /** Files that may use the other way, each for the reason in its comment. */
  except: readonly string[]
  /** A line that the rule must find. */
  sample: string
}

const pageRules: readonly Omit<Rule, 'files'>[] = [
  {
    name: 'a page chooses the text of a refusal by a table of texts',
    other: /\berrorCode\(/,
    instead: 'give the texts to showRefusal or refusalMessage of #api/refusals.ts',
    except: [
      // These files act on the code.
      'web/api/errors.ts',
      'web/api/functions.ts',
      'web/api/refusals.ts',
      'web/api/renewal.ts',
      'web/data/changes.ts',
      'web/papers/verify.ts',
      'web/people/login/link-page.tsx',
      'web/people/login/login-page.tsx',
      'web/people/session/proof/use-proof.tsx',
      'web/profile/devices/sessions.ts',
      'web/staff/customers/customer-failure.tsx',
      // These texts belong to fields of a form.
      'web/people/session/refusal.ts',
      'web/profile/devices/password-dialog.tsx',
    ],
    sample: "return errorCode(error) === '23505' ? copy.takenName : copy.failedText",
  },
  {
    name: 'a page shows a refusal with showRefusal, and a form with refusalMessage',
    other: /\brefusalText\(/,
    instead: 'use showRefusal or refusalMessage of #api/refusals.ts',
    except: [
      'web/api/refusals.ts',
      // The text stands in the place of a list, and TanStack Query has already logged the error.
      'web/staff/audit/audit-card.tsx',
      'web/staff/search/search-dialog.tsx',
    ],
    sample: 'showFailure({ title, description: refusalText(error, { otherwise: copy.failedText }) })',
  },
  {
    name: 'a list that is read page by page is declared with rowPages or readAll',
    other: /\binfiniteQueryOptions[<(]|\brestRowsMax\b/,
    instead: 'use rowPages of #staff/lists/row-pages.ts, or readAll of #api/read-all.ts',
    except: [
      'web/api/read-all.ts',
      'web/staff/lists/row-pages.ts',
      // The bank counts this list and names the end of each page.
      'web/staff/users/users.ts',
      // The first pages of these lists are used while the later pages are still being read.
      'web/data/read-journal.ts',
      'web/data/read-transactions.ts',
      'web/staff/customers/customer.ts',
    ],
    sample: 'if (page.length < restRowsMax) return rows',
  },
  {
    name: 'a text chooses between singular and plural with plural or counted',
    other: /=== 1 \? ['`]|\.toLocaleString\('es-CO'\)/,
    instead: 'use plural, counted or countOf of #ui/format/count.ts',
    except: [
      'web/ui/format/count.ts',
      // web/ui is below web/ui/format.
      'web/ui/copy.ts',
      // The login and the dashboard must not load more code.
      'web/people/session/refusal.ts',
      'web/dashboard/money/month-end.tsx',
      'web/dashboard/money/pictures-copy.ts',
    ],
    sample: "`${rows} ${rows === 1 ? 'movimiento' : 'movimientos'}`",
  },
  {
    name: 'a page shows rows and columns with Table',
    other: /<(?:table|thead|tbody|tr|th|td)\b/,
    instead: 'use Table, Row and Cell of #ui/table.tsx',
    except: [
      'web/ui/table.tsx',
      // This file reads the tables of an HTML file.
      'web/uploads/sheet/html.ts',
      // Only screen readers see these two tables, and the dashboard must not load more code for them.
      'web/dashboard/money/months-table.tsx',
      'web/dashboard/money/spending-chart.tsx',
    ],
    sample: '<table className="w-full">',
  },
  {
    name: 'a page asks before an action with useQuestion',
    other: /\b(?:confirm|alert|prompt)\(['"`\w]|\bwindow\.(?:confirm|alert|prompt)\b/,
    instead: 'ask with useQuestion of #ui/dialog/use-question.ts',
    // The specification requires the browser's own question before a user is deleted.
    except: ['web/staff/users/user-row.tsx'],
    sample: 'if (!window.confirm(copy.removeQuestion)) return',
  },
]

const kitRules: readonly Omit<Rule, 'files'>[] = [
  {
    name: 'a test starts the program of the server with createServer or startDemo',
    other: /['"` ](?:\.\/)?server\/(?:main|demo\/demo)\.ts['"`]|[#/]server\/start\.ts'/,
    instead: 'use createServer of #testing/server.ts, or startDemo of #testing/demo.ts',
    except: [
      // `npm run dev` serves the developer's own bank.
      'tools/dev.ts',
      // Playwright starts its server itself.
      'tests/e2e/playwright.config.ts',
      // This file tests the program of the demo.
      'tests/process/demo.test.ts',
      // This test needs the engine's worker in its own process.
      'nightly/process/embedded-engine.test.ts',
    ],
    sample: "spawn(process.execPath, ['server/main.ts'])",
  },
  {
    name: 'a test serves the surfaces with openSurfaces',
    other: /^(?:import (?!type\b)|\} from ).*'#(?:[a-z]+\/)+(?:surface|http-application|app)\.ts'/m,
    instead: 'use openSurfaces of #testing/surfaces.ts',
    except: [],
    sample: "import { restSurface } from '#server/rest/surface.ts'",
  },
  {
    name: 'a test opens a database with openPlace or openTestDatabase',
    other:
      /^(?:import (?!type\b)|\} from ).*(?:'pg'|'@electric-sql\/pglite')|database\/(?:postgres\/postgres|pglite\/pglite)\.ts'|\binitdb\b/m,
    instead: 'use openPlace, openTestDatabase or openBesideServer of #testing/database.ts',
    except: [
      // The limits are servers without our code.
      'bench/limits/bare-embedded.ts',
      'bench/limits/bare-postgres.ts',
      // The large bank is filled once, in a database that stays.
      'bench/large-bank.ts',
      // A server that does not answer is the subject of this test.
      'server/database/lost-connection.test.ts',
      // A restored bank was made by the restore, and a moved bank by the move.
      'tests/database/backup.test.ts',
      'tests/database/banks.ts',
      // These programs die in the middle of a migration or of a write.
      'tests/database/upgrade.test.ts',
      'nightly/power-loss/bank-process.ts',
      // The platform of a hosted project makes this database.
      'tests/database/hosted.test.ts',
      // This test reads the notices of its own connection.
      'tests/database/posting-cost.test.ts',
      // The database servers behind the proxy belong to other machines.
      'nightly/cluster/primary.ts',
    ],
    sample: "import { openPostgres } from '#server/database/postgres/postgres.ts'",
  },
]

const rules: readonly Rule[] = [
  ...pageRules.map((rule) => ({ ...rule, files: page })),
  ...kitRules.map((rule) => ({ ...rule, files: outside })),
]

test.each(rules)('$name', ({ files, other, instead, except }) => {
  const uses = files.filter(({ text }) => other.test(text)).map(({ path: file }) => file)

  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(({ path: file }) => !except.includes(file)).flatMap(found(other, instead))).toEqual([])
  expect(except.filter((file) => !uses.includes(file))).toEqual([])
})

test.each(rules)('the other way is found: $name', ({ other, instead, sample }) => {
  expect(found(other, instead)({ path: 'web/app/card.tsx', text: sample })).toHaveLength(1)
})

/** Elements that have both utilities and a class of a page's sheet. The number may only shrink. */
const mixedMax = 64

test('an element has utilities or a class of its page’s sheet, except for those that had both', () => {
  const sheets = tree.filter(
    ({ path: file }) => /^web\/.*\.css$/.test(file) && !/^web\/(?:main|ui\/base|ui\/tokens)\.css$/.test(file),
  )
  const ofSheets = new Set(sheets.flatMap(({ text }) => classesOfSheet(text)))
  const mixed = page.flatMap(({ path: file, text }) =>
    classNames(text)
      .filter(
        (names) => names.some((name) => ofSheets.has(name)) && !names.every((name) => ofSheets.has(name)),
      )
      .map((names) => `${file}: ${names.join(' ')}`),
  )

  expect(ofSheets.size).toBeGreaterThan(100)
  expect(mixed.slice(mixedMax)).toEqual([])
  expect(mixed).toHaveLength(mixedMax)
})

function classesOfSheet(text: string): string[] {
  const rules = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)
  return [...rules].flatMap(([, selector = '']) =>
    selector.trim().startsWith('@')
      ? []
      : [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
  )
}

function classNames(text: string): string[][] {
  return [...text.matchAll(/[cC]lassName(?:=|: )(?:"([^"]*)"|'([^']*)'|\{`([^`]*)`\})/g)].map(
    ([, quoted, single, template]) =>
      (quoted ?? single ?? template ?? '')
        .replaceAll(/\$\{[^}]*\}/g, ' ')
        .split(/\s+/)
        .filter((name) => name !== ''),
  )
}

function found(other: RegExp, instead: string): (file: SourceFile) => string[] {
  return ({ path: file, text }) =>
    text.split('\n').flatMap((line, index) => (other.test(line) ? [`${file}:${index + 1}: ${instead}`] : []))
}
