// Rules of this repository that our linters cannot check. Each message has the format
// `file:line: what to do instead`.
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { boundaries, boundaryOf, isPackage, isWithin, mayImport, mayImportPackage } from './boundaries.ts'
import { type ParsedFile, parseFile, targetOf } from './source-file.ts'
import { type SourceFile, readTree } from './tree.ts'

const folderOf = (file: string) => path.posix.dirname(file)
const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const isCode = (file: string) => /\.[cm]?[jt]sx?$/.test(file)

const tree = readTree()
const sources = tree.filter((file) => isCode(file.path) || file.path.endsWith('.sql'))
const parsed = tree.filter((file) => isCode(file.path)).map(parseFile)

test('the check reads all source folders', () => {
  for (const folder of ['contract', 'server', 'web', 'supabase', 'tests', 'testing', 'tools'])
    expect(parsed.filter((file) => file.path.startsWith(`${folder}/`)).length).toBeGreaterThan(3)
  expect(parsed.filter((file) => /node_modules|\/dist\//.test(file.path))).toEqual([])
})

describe('imports', () => {
  test('each folder with code has a boundary', () => {
    expect(
      sources.map(({ path: file }) => file).filter((file) => boundaryOf(folderOf(file)) === undefined),
    ).toEqual([])
  })

  test('each file has only imports that tools/boundaries.ts allows for its folder', () => {
    expect(parsed.flatMap(forbiddenImports)).toEqual([])
  })

  test('each import that tools/boundaries.ts allows is used', () => {
    const made = parsed.flatMap((file) => {
      const folder = folderOf(file.path)
      const rule = boundaryOf(folder)?.name
      return file.imports.map(({ value }) => ({ rule, target: targetOf(file.path, value) }))
    })
    const isMade = (rule: string, passes: (target: (typeof made)[number]['target']) => boolean) =>
      made.some((each) => each.rule === rule && passes(each.target))

    const unused = Object.entries(boundaries).flatMap(([rule, { folders, packages }]) =>
      [
        ...folders.filter(
          (allowed) =>
            allowed !== rule &&
            !isMade(rule, (to) => to.kind === 'file' && isWithin(allowed, folderOf(to.path))),
        ),
        ...packages
          .filter((allowed) => !isMade(rule, (to) => to.kind === 'package' && isPackage(to.name, allowed)))
          .map((name) => `the package ${name}`),
      ].map((allowed) => `${rule}: ${allowed}`),
    )
    expect(unused).toEqual([])
  })

  const edges = parsed.flatMap((file) =>
    file.imports.flatMap(({ value }) => {
      const target = targetOf(file.path, value)
      return target.kind === 'file' && !isTest(file.path) ? [[file.path, target.path] as const] : []
    }),
  )

  test('a file cannot import itself indirectly through other files', () => {
    expect(edges.length).toBeGreaterThan(1000)
    expect(circlesOf(edges)).toEqual([])
  })

  test('a folder with a boundary cannot import itself indirectly through other folders', () => {
    const ruleOf = (file: string) => boundaryOf(folderOf(file))?.name ?? ''

    expect(circlesOf(edges.map(([from, to]) => [ruleOf(from), ruleOf(to)] as const))).toEqual([])
  })

  test('only imports within a cycle are reported, not imports that lead to a cycle', () => {
    const circle = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ] as const

    expect(circlesOf(circle)).toEqual(['b → c', 'c → b'])
  })

  test.each([
    [
      'server/rest/plan/plan.ts',
      "import { signUp } from '#auth/signup.ts'",
      'server/rest may not import server/auth',
    ],
    [
      'web/ui/badge.tsx',
      "import type { Category } from '@finanzas/contract/categories.ts'",
      'web/ui may not import contract',
    ],
    ['web/staff/page.tsx', "import { Form } from '#dashboard/form.tsx'", 'may not import web/dashboard'],
    [
      'server/http/credentials.ts',
      "export {\n  planRead,\n} from '#rest/plan.ts'",
      ':3: server/http may not import server/rest',
    ],
    ['contract/wire/rows.ts', "export * from 'node:fs'", 'may not import the package node:fs'],
    [
      'server/mail/mailer.ts',
      "const { signUp } = await import('#auth/signup.ts')",
      'may not import server/auth',
    ],
    [
      'server/tokens/access-token.ts',
      "type Db = import('#database/database.ts').Database",
      'may not import server/database',
    ],
    ['server/app.ts', 'const surface = await import(file)', 'cannot be followed'],
    ['web/app/routes.tsx', "import { config } from '@finanzas/server/config.ts'", 'cannot be followed'],
    ['tests/wire/rest/one.test.ts', "import { start } from '../../server/app.ts'", 'climbs'],
    ['server/rest/surface.ts', "import { plan } from './plan/plan.ts'", 'is not beside'],
    ['server/rest/surface.ts', "import { restErrors } from '#rest/errors.ts'", 'is beside'],
    ['contract/wire/rows.ts', "import { limits } from '#limits.ts'", 'has no meaning for Deno'],
  ])('a forbidden import is reported: %s', (file, text, message) => {
    expect(forbiddenImports(parseFile({ path: file, text }))).toEqual([expect.stringContaining(message)])
  })
})

describe('code that is loaded on demand', () => {
  test('each import() in the web page is declared with lazyCode or lazyComponent', () => {
    expect(parsed.filter(isOfPage).flatMap(undeclaredImports)).toEqual([])
  })

  test.each([
    ['an action', "const read = async () => (await import('./read.ts')).read()"],
    ['React', "const Page = lazy(() => import('./page.tsx'))"],
    ['a query', "const query = { queryFn: () => import('./list.tsx') }"],
    ['a component', "function Card() {\n  return lazyCode(() => import('./list.tsx'), 'List')\n}"],
  ])('an import() by %s is found', (_, text) => {
    expect(undeclaredImports(parseFile({ path: 'web/app/card.tsx', text }))).toHaveLength(1)
  })
})

describe('files', () => {
  test('a folder or file cannot have a generic name such as utils or types', () => {
    const drawers = /^(?:utils?|helpers?|misc|common|shared|libs?|types|index)$/
    const named = sources.filter(({ path: file }) =>
      file.split('/').some((part) => drawers.test(part.replace(/\..*$/, ''))),
    )

    // The hosted platform requires that the entry point of each function is named `index.ts`.
    expect(
      named
        .map(({ path: file }) => file)
        .filter((file) => !/^supabase\/functions\/[\w-]+\/index\.ts$/.test(file)),
    ).toEqual([])
  })

  test('a file cannot contain a path on a developer’s machine', () => {
    expect(linesWith(tree, /(?<![\w.:)\]}*-])\/(?:home|Users|root|work|mnt|srv)\/\w/)).toEqual([])
  })

  test('a file cannot contain merge conflict markers', () => {
    expect(linesWith(tree, /^(?:<{7}|>{7}|\|{7})(?: |$)/)).toEqual([])
  })
})

test('only web/storage uses the storage of the browser, because every access can throw', () => {
  const uses = sources.filter(
    ({ path: file, text }) =>
      file.startsWith('web/') &&
      !file.startsWith('web/storage/') &&
      !isTest(file) &&
      !file.startsWith('web/testing/') &&
      /\b(?:local|session)Storage\b|\bindexedDB\b/.test(text),
  )

  expect(uses.map(({ path: file }) => file)).toEqual([])
})

test('a test cannot exclude other tests, and each skipped test has a comment that gives the reason', () => {
  const modified = /\b(?:test|it|describe)(?:\.\w+)*\.(?:only|(skip|skipIf|runIf|todo|fixme))\b/
  const found = sources.flatMap(({ path: file, text }) => {
    const lines = text.split('\n')
    return lines.flatMap((line, index) => {
      const match = modified.exec(line)
      const isExplained = match?.[1] !== undefined && /^\s*(?:\/\/|\*)/.test(lines[index - 1] ?? '')
      return match === null || isExplained ? [] : [`${file}:${index + 1}`]
    })
  })

  expect(found).toEqual([])
})

describe('words', () => {
  test('a comment cannot announce future work', () => {
    expect(commentsWith(/\b(?:TODO|FIXME|XXX|HACK)\b/)).toEqual([])
  })

  test('comments do not use indefinite pronouns such as nobody', () => {
    const words =
      /\b(?:nobody|somebody|everybody|whoever|anybody|whom|seen red with|throw-?away|waiting line|sign of life)\b/i

    expect(commentsWith(words)).toEqual([])
    expect(commentsWith(/(?:^[\s*]*|[.:] )Who(?:se)? /)).toEqual([])
  })

  test('names use common technical terms', () => {
    const words = /\b(?:errands?|tellings?|strangers|soak|planted|unhear|ThrowAwayBank|WaitingLine)\b/
    const others = sources.filter(({ path: file }) => file !== 'tools/architecture.test.ts')

    expect(linesWith(others, words)).toEqual([])
  })

  test('texts for users say monto and añadir, and no second word for the same idea', () => {
    const texts = sources.filter(({ path: file }) => /copy\.tsx?$|\.sql$|^server\/(?:mail|http)\//.test(file))

    expect(linesWith(texts, /\b(?:importes?\b|agr[eé]g[aóu])/i)).toEqual([])
    expect(linesWith(texts, /\b(?:monto|añad)/i).length).toBeGreaterThan(50)
  })
})

function linesWith(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path: file, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}

/** Returns the imports that are part of a cycle, and the imports that lead from one cycle to another cycle. */
function circlesOf(edges: readonly (readonly [from: string, to: string])[]): string[] {
  let rest = edges.filter(([from, to]) => from !== to)
  for (let before = Infinity; rest.length < before;) {
    before = rest.length
    const importing = new Set(rest.map(([from]) => from))
    const imported = new Set(rest.map(([, to]) => to))
    rest = rest.filter(([from, to]) => imported.has(from) && importing.has(to))
  }
  return [...new Set(rest.map(([from, to]) => `${from} → ${to}`))]
}

/** Matches `--` comments to the end of the line, and `comment on` statements to the end of their text. */
const sqlComment = /--[^\n]*|^comment on [^']*'(?:[^']|'')*'/gm

/** Returns the comments in code and SQL that match the pattern. */
function commentsWith(pattern: RegExp): string[] {
  const inCode = parsed.flatMap((file) =>
    file.comments
      .filter(({ value }) => pattern.test(value))
      .map(({ value, line }) => `${file.path}:${line}: ${value.trim()}`),
  )
  const inSql = tree
    .filter((file) => file.path.endsWith('.sql'))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(sqlComment)]
        .filter(([comment]) => pattern.test(comment))
        .map(({ 0: comment, index }) => `${file}:${text.slice(0, index).split('\n').length}: ${comment}`),
    )
  return [...inCode, ...inSql]
}

function isOfPage({ path: file }: ParsedFile): boolean {
  return file.startsWith('web/') && !isTest(file)
}

function undeclaredImports({ path: file, dynamicImports }: ParsedFile): string[] {
  return dynamicImports
    .filter(({ value }) => value !== 'lazyCode' && value !== 'lazyComponent')
    .map(({ line }) => `${file}:${line}: declare it with lazyCode or lazyComponent of #ui/lazy/lazy.ts`)
}

function forbiddenImports(file: ParsedFile): string[] {
  return file.imports.flatMap(({ value, line }) => {
    const complaint = complaintAbout(value, file.path)
    return complaint === undefined ? [] : [`${file.path}:${line}: ${complaint}`]
  })
}

function complaintAbout(specifier: string, file: string): string | undefined {
  const folder = folderOf(file)
  const target = targetOf(file, specifier)
  const name = boundaryOf(folder)?.name ?? folder
  switch (target.kind) {
    case 'climbing':
      // These files run in environments where Node does not resolve `#`.
      return file.startsWith('supabase/functions/') || file.endsWith('.mjs')
        ? undefined
        : `"${specifier}" climbs; write #folder/file.ts`
    case 'unknown':
      return `"${specifier}" cannot be followed; import a literal #folder/file.ts or @finanzas/contract/file.ts`
    case 'package':
      return mayImportPackage(folder, target.name, isTest(file))
        ? undefined
        : `${name} may not import the package ${target.name}`
    case 'file':
      if (/^\.\/.*\//.test(specifier) && !/\.mjs$|\.config\.ts$|^supabase\/functions\//.test(file))
        return `"${specifier}" is not beside; write #folder/file.ts`
      if (folderOf(target.path) === folder && !specifier.startsWith('./'))
        return `"${specifier}" is beside; write ./file.ts`
      // Deno, which runs the functions of a hosted project, resolves only the name of the contract.
      if (file.startsWith('contract/') && specifier.startsWith('#'))
        return `"${specifier}" has no meaning for Deno; write @finanzas/contract/file.ts`
      return mayImport(folder, folderOf(target.path))
        ? undefined
        : `${name} may not import ${folderOf(target.path)}`
    default:
      return target satisfies never
  }
}
