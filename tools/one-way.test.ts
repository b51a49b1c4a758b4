// Things that the page does in one way only (STYLE.md, "One way in the page"). Each message has the format
// `file:line: what to do instead`.
import { expect, test } from 'vitest'
import { type SourceFile, readTree } from './tree.ts'

const page = readTree().filter(
  ({ path: file }) =>
    /^web\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.includes('/testing/'),
)

type Rule = {
  /** The rule, as the name of its test. */
  name: string
  /** The other way. */
  other: RegExp
  instead: string
  /** Files that may use the other way, each for the reason in its comment. */
  except: readonly string[]
  /** A line that the rule must find. */
  sample: string
}

const rules: readonly Rule[] = [
  {
    name: 'a page chooses the text of a refusal with refusalText',
    other: /\berrorCode\(/,
    instead: 'give the texts to refusalText of #api/refusals.ts',
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
      'web/staff/customers/customer-page.tsx',
      // These texts belong to fields of a form.
      'web/people/session/refusal.ts',
      'web/profile/devices/password-dialog.tsx',
    ],
    sample: "return errorCode(error) === '23505' ? copy.takenName : copy.failedText",
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

test.each(rules)('$name', ({ other, instead, except }) => {
  const uses = page.filter(({ text }) => other.test(text)).map(({ path: file }) => file)

  expect(page.filter(({ path: file }) => !except.includes(file)).flatMap(found(other, instead))).toEqual([])
  expect(except.filter((file) => !uses.includes(file))).toEqual([])
})

test.each(rules)('the other way is found: $name', ({ other, instead, sample }) => {
  expect(found(other, instead)({ path: 'web/app/card.tsx', text: sample })).toHaveLength(1)
})

/** Elements that have both utilities and a class of a page's sheet. The number may only shrink. */
const mixedMax = 69

test('an element has utilities or a class of its page’s sheet, except for those that had both', () => {
  const sheets = readTree().filter(
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
