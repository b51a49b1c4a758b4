// Checks that the documents match the code: their links, settings, metrics and log lines, and the tests that they
// cite as proof.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { alarmCopy } from '@finanzas/contract/operations/copy.ts'
import { settingNames } from '#server/settings/settings.ts'
import { readTree, root } from './tree.ts'

const tree = readTree()
const documents = tree.filter((file) => file.path.endsWith('.md'))
const textOf = (file: string) => tree.find((one) => one.path === file)?.text ?? ''
const captures = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first)
const server = tree.filter((file) => /^server\/.*(?<!\.test)\.ts$/.test(file.path))
const capturesIn = (files: typeof server, pattern: RegExp) =>
  files.flatMap(({ text }) => captures(text, pattern))

/** Returns the cells of each table row on a page, without the header rows. */
function rowsOf(page: string): string[][] {
  return captures(page, /^\|(?!---)(.+)\|\n(?!\|---)/gm).map((cells) =>
    cells.split(' | ').map((cell) => cell.trim()),
  )
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function anchorsOf(page: string): string[] {
  return captures(textOf(page), /^#+ (.+)$/gm).map(anchorOf)
}

function sectionOf(page: string, heading: string): string {
  return textOf(page).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
}

test('every relative link leads to a file', () => {
  const links = documents.flatMap(({ path: file, text }) => {
    const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
    return captures(prose, /\]\(([^)\s]+)\)/g)
      .map((link) => link.replace(/#.*$/, ''))
      .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
      .map((link) => path.posix.join(path.posix.dirname(file), decodeURI(link)))
  })

  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((link) => !existsSync(path.join(root, link)))).toEqual([])
})

test('a link or a sentence cannot refer to a section that does not exist', () => {
  const linked = documents.flatMap(({ path: file, text }) =>
    [...text.matchAll(/\]\(([^)\s:#]*)#([^)\s]+)\)/g)].map(([, page = '', anchor = '']) => ({
      page: page === '' ? file : path.posix.join(path.posix.dirname(file), page),
      anchor,
    })),
  )
  const quoted = tree.flatMap(({ text }) =>
    [...text.matchAll(/\b(docs\/(?:es\/)?[\w-]+\.md), "([A-Z][^"\n]+)"/g)].map(
      ([, page = '', heading = '']) => ({
        page,
        anchor: anchorOf(heading),
      }),
    ),
  )

  expect([linked.length, quoted.length].every((count) => count > 3)).toBe(true)
  expect([...linked, ...quoted].filter(({ page, anchor }) => !anchorsOf(page).includes(anchor))).toEqual([])
})

describe('comments', () => {
  const texts = tree.filter(({ path: file }) => /\.(?:[cm]?[jt]sx?|sql|css|ya?ml|sh|cfg|service)$/.test(file))
  const comments = texts.flatMap(({ path: file, text }) =>
    captures(text, /((?:\/\/|\/?\*+|--|#) .*)$/gm).map((comment) => ({ file, comment })),
  )
  const namedIn = (pattern: RegExp, isThere: (name: string) => boolean) =>
    comments.flatMap(({ file, comment }) =>
      captures(comment, pattern)
        .filter((name) => !isThere(name))
        .map((name) => `${file}: ${name}`),
    )
  const names = new Set(tree.map(({ path: file }) => path.posix.basename(file)))
  const isPath = (name: string) => tree.some(({ path: file }) => file === name)

  test('a comment cannot refer to a document or a test that does not exist', () => {
    const missing = namedIn(/((?:[\w-]+\/)*[\w-]+\.(?:md|test\.tsx?))\b/g, (name) =>
      name.includes('/') ? isPath(name) : names.has(name),
    )
    expect(missing).toEqual([])
  })

  test('a comment cannot refer to a path that does not exist', () => {
    expect(
      namedIn(
        /\b((?:server|web|contract|supabase|testing|tests|nightly|tools|bench)\/[\w./-]+\.(?:tsx?|sql))\b/g,
        isPath,
      ),
    ).toEqual([])
  })

  test('a comment cannot refer to a decision or a promise that does not exist', () => {
    const decisions = (number: string) =>
      tree.some(({ path: file }) => file.startsWith(`docs/decisions/${number}-`))
    const promises = (id: string) => textOf('docs/security.md').includes(`| ${id} |`)

    expect(namedIn(/decisions?[ /](\d{4})\b/g, decisions)).toEqual([])
    expect(namedIn(/security\.md ([A-Z]+-\d+|\d[\d.]*)/gi, promises)).toEqual([])
  })
})

const git = (...command: string[]) => execFileSync('git', command, { cwd: root, encoding: 'utf8' })

// A source archive has no Git history, and a shallow clone has only a part of the history.
test.skipIf(
  !existsSync(path.join(root, '.git')) || git('rev-parse', '--is-shallow-repository').trim() === 'true',
)('a document cannot cite a commit that the history does not have', () => {
  const history = git('log', '--format=%H').split('\n')
  const cited = documents.flatMap(({ path: file, text }) =>
    captures(text, /(?<![\w/.#-])((?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,40})(?![\w-])/g).map((hash) => ({
      file,
      hash,
    })),
  )

  expect(cited.length).toBeGreaterThan(5)
  expect(
    cited
      .filter(({ hash }) => !history.some((commit) => commit.startsWith(hash)))
      .map(({ file, hash }) => `${file}: ${hash}`),
  ).toEqual([])
})

test('ARCHITECTURE.md says in one sentence what each level of tests is for', () => {
  const levels = tree.flatMap(({ path: file }) => captures(file, /^(tests\/[^/]+)\/.*\.test\.ts$/g))
  const rows = rowsOf(sectionOf('ARCHITECTURE.md', 'Levels of tests')).map(([cell = '']) => cell)

  expect(rows.filter((cell) => cell.startsWith('`tests/')).toSorted()).toEqual(
    [...new Set(levels)].map((level) => `\`${level}\``).toSorted(),
  )
})

test('each decision record has a unique number, a decision and a reason', () => {
  const records = documents.filter((file) => /^docs\/decisions\/\d{4}-/.test(file.path))
  const numbers = records.map(({ path: file }) => path.basename(file).slice(0, 4))

  expect(records.length).toBeGreaterThan(10)
  expect(numbers).toEqual([...new Set(numbers)])
  const incomplete = records.filter(
    ({ text }, index) =>
      !text.startsWith(`# ${numbers[index]}: `) ||
      !/^\*\*Decision\.\*\* /m.test(text) ||
      !/^\*\*Why\.\*\* /m.test(text),
  )
  expect(incomplete.map(({ path: file }) => file)).toEqual([])
})

test('the newest version in CHANGELOG.md is the version of every package', () => {
  const manifests = ['package.json', 'contract/package.json', 'server/package.json', 'web/package.json']
  const versions = manifests.map((file) => (JSON.parse(textOf(file)) as { version: string }).version)

  expect(new Set(versions)).toEqual(
    new Set(captures(textOf('CHANGELOG.md'), /^## \[?(\d+\.\d+\.\d+)/gm).slice(0, 1)),
  )
})

test('each release in CHANGELOG.md describes the upgrade from the release before it', () => {
  const releases = textOf('CHANGELOG.md').split(/^## /m).slice(1)
  const versions = releases.map((text) => /^\[?(\d+\.\d+\.\d+)/.exec(text)?.[1])
  const named = releases.map((text) => /^### Upgrading from (\S+)\n\n\S/m.exec(text)?.[1])

  // The oldest release has no earlier release.
  expect(versions.length).toBeGreaterThanOrEqual(2)
  expect(named.slice(0, -1)).toEqual(versions.slice(1))
})

test('docs/operations.md lists every metric, and deploy/alerts.yaml uses only these metrics', () => {
  const metrics = new Set(
    capturesIn(
      server.filter((file) => file.path.startsWith('server/metrics/')),
      /'((?:finanzas|process|nodejs)_[a-z_]+)'/g,
    ),
  )
  const alerted = captures(
    textOf('deploy/alerts.yaml'),
    /\b((?:finanzas|process|nodejs)_[a-z_]+)(?=[{\s)[">\\,])/g,
  )

  expect(metrics.size).toBeGreaterThan(15)
  expect([...metrics].filter((name) => !textOf('docs/operations.md').includes(`\`${name}`))).toEqual([])
  expect(alerted.length).toBeGreaterThan(8)
  expect(alerted.filter((name) => !metrics.has(name.replace(/_(?:bucket|sum|count)$/, '')))).toEqual([])
})

describe('the guide for operators', () => {
  const guide = documents.filter(({ path: file }) => file.startsWith('docs/es/'))
  const monitoring = rowsOf(textOf('docs/es/vigilar.md'))
  /** Returns the quoted words in the first column, and the section of the runbook in the last column. */
  const remedies = monitoring.flatMap(([names = '', ...cells]) => {
    const [anchor] = captures(cells.at(-1) ?? '', /\(incidentes\.md#([^)]+)\)/g)
    return captures(names, /`([^`]+)`/g).map((name) => ({ name, anchor }))
  })

  test('the index of the guide links to every page', () => {
    const linked = captures(textOf('docs/es/operadores.md'), /\]\((\w+\.md)\)/g)
    const pages = guide.map(({ path: file }) => path.basename(file))

    expect(new Set([...linked, 'operadores.md'])).toEqual(new Set(pages))
  })

  test('each alert has a row that names the alert’s section of the runbook', () => {
    const alerts = [
      ...textOf('deploy/alerts.yaml').matchAll(
        /alert: (\w+)[\s\S]*?runbook: docs\/es\/incidentes\.md#(\S+)\n/g,
      ),
    ].map(([, name, anchor]) => ({ name, anchor }))

    expect(alerts.length).toBeGreaterThan(15)
    expect(remedies.filter(({ name }) => name.startsWith('Finanzas'))).toEqual(expect.arrayContaining(alerts))
    expect(remedies.filter(({ name }) => name.startsWith('Finanzas'))).toHaveLength(alerts.length)
  })

  test('each alarm of the log has a row with a section of the runbook', () => {
    const alarms = captures(textOf('server/http/events.ts'), /'(ALARM: [^']+)'/g)

    expect(alarms.length).toBeGreaterThan(5)
    expect(
      remedies.filter(({ name, anchor }) => name.startsWith('ALARM') && anchor !== undefined),
    ).toHaveLength(alarms.length)
    expect(alarms.filter((alarm) => !remedies.some(({ name }) => name === alarm))).toEqual([])
  })

  test('each alarm of the bank has a row with its name and code, and leads to the runbook', () => {
    const listed = monitoring.flatMap(([title, code = '', remedy = '']) =>
      captures(code, /^`([a-z-]+)`$/g).map((name) => [name, title, /\(incidentes\.md#[^)]+\)/.test(remedy)]),
    )

    expect(listed).toEqual(Object.entries(alarmCopy).map(([code, { title }]) => [code, title, true]))
  })

  test('the guide names only settings that the server reads', () => {
    const settings: ReadonlySet<string> = new Set(settingNames)
    const compose = textOf('deploy/compose.yaml')
    const proxy = textOf('deploy/haproxy.cfg')
    const known = /^(?:SERVER|POSTGRES)_\d$|^BANK_|^(?:CONTRASEÑA|VERSION|ALARM)$/
    const named = guide.flatMap(({ text }) => captures(text, /\b([A-Z]+(?:_[A-Z]+)+)(?==|`)/g))

    expect(named.length).toBeGreaterThan(30)
    expect(
      named.filter(
        (name) =>
          !settings.has(name) && ![compose, proxy].some((file) => file.includes(name)) && !known.test(name),
      ),
    ).toEqual([])
  })
})

describe('docs/logging.md', () => {
  const words = (cell = '') => captures(cell, /`([^`]+)`/g)

  test('docs/logging.md lists the events of server/http/events.ts with their levels, in the same order', () => {
    const levels = { info: 'news', warn: 'warning', error: 'error' }
    const listed = [
      ...textOf('server/http/events.ts').matchAll(/^ {2}'([^'\n]+)': \[\s*'(info|warn|error)',/gm),
    ].map(([, event, level]) => [event, levels[level as keyof typeof levels]])
    const rows = rowsOf(sectionOf('docs/logging.md', 'Lines of the log'))

    expect(listed.length).toBeGreaterThanOrEqual(30)
    expect(rows.map(([event, level]) => [...words(event), level])).toEqual(listed)
  })

  test('the server cannot log an event or a warning that is missing from the list', () => {
    const past = tree.filter(
      ({ path: file, text }) =>
        /^server\/(?!http\/events\.ts).*(?<!\.test)\.ts$/.test(file) &&
        /\blog\.(?:info|warn|fatal)\(/.test(text),
    )

    expect(past.map(({ path: file }) => file)).toEqual([])
  })

  test('docs/logging.md lists every message that the server logs for bugs', () => {
    const rows = rowsOf(sectionOf('docs/logging.md', 'Traces of mistakes'))

    expect(new Set(rows.flatMap(([event]) => words(event)))).toEqual(
      new Set(capturesIn(server, /(?:\blog\.error\([^'()]*|\bfailure: )'([^']+)'/g)),
    )
  })
})

describe('documented promises and the tests that prove them', () => {
  const proofsOf = (page: string, column: number) =>
    rowsOf(textOf(page)).flatMap((cells) => (cells[column] ?? '').split('<br>').map((line) => line.trim()))
  const isTestThere = (proof: string): boolean => {
    const [, file = '', name = ''] = /^`([^`]+\.test\.tsx?)`: (.+)$/.exec(proof) ?? []
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    return name !== '' && new RegExp(String.raw`\(\s*(['"\x60])${escaped}\1`).test(textOf(file))
  }

  const isFileThere = (proof: string): boolean => {
    const file = /^`([^`]+\.test\.tsx?)`$/.exec(proof)?.[1]
    return file !== undefined && tree.some(({ path: known }) => known === file)
  }

  test('every row of docs/specification.md names tests that exist', () => {
    const sections = new Set(captures(textOf('docs/specification.md'), /^## §(\d)/gm))

    expect([...sections]).toEqual(['2', '3', '4', '5', '6', '8', '9'])
    expect(rowsOf(textOf('docs/specification.md')).length).toBeGreaterThan(120)
    expect(proofsOf('docs/specification.md', 1).filter((proof) => !isTestThere(proof))).toEqual([])
  })

  test('every promise of docs/security.md names existing tests or an open point', () => {
    const suites = (page: string) => captures(textOf(page), /^\| `([a-z-]+)`/gm)
    const runs = new Set([
      ...suites('docs/reliability.md').map((name) => `\`npm run nightly -- ${name}\``),
      ...suites('docs/performance.md').map((name) => `\`npm run bench -- ${name}\``),
    ])
    const ids = rowsOf(textOf('docs/security.md')).map(([id = '']) => id)

    expect(ids.length).toBeGreaterThan(100)
    expect(ids).toEqual([...new Set(ids)])
    expect(
      proofsOf('docs/security.md', 2).filter(
        (proof) => !isFileThere(proof) && !runs.has(proof) && !proof.startsWith('**Open**: '),
      ),
    ).toEqual([])
  })

  test('docs/wire.md names every wire test and no other test', () => {
    const named = captures(textOf('docs/wire.md'), /`((?:auth|rest|functions|realtime)\/[a-z0-9-]+)`/g)
    const files = tree.map(({ path: file }) => file).join('\n')

    expect(new Set(named)).toEqual(
      new Set(captures(files, /^tests\/wire\/((?:auth|rest|functions|realtime)\/[a-z0-9-]+)\.test\.ts$/gm)),
    )
  })
})
