/** The subjects of supabase/schemas use each other only as tools/subjects.ts allows. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Subject, subjects, usesToEnd } from '#tools/subjects.ts'
import { root } from '#tools/tree.ts'
import { type SchemaFile, passes, schemaFiles } from './files.ts'
import { statementsOf } from './statements.ts'
import { forbiddenUses, mutualPairs, objectsOf, usesOf } from './uses.ts'

const files = schemaFiles()
const names = Object.keys(subjects)

test('the table of subjects names lower subjects only, so that subjects form no circle', () => {
  for (const [subject, lower] of Object.entries<readonly string[]>(subjects))
    for (const each of lower) expect(names.indexOf(each), subject).toBeLessThan(names.indexOf(subject))
})

test('a subject uses only the subjects that the table allows', () => {
  const uses = usesOf(files)

  expect(uses.length).toBeGreaterThan(400)
  expect(forbiddenUses(uses)).toEqual(usesToEnd)
})

test('two subjects do not use each other', () => {
  expect(mutualPairs(usesOf(files))).toEqual([])
})

test('the counter distinguishes calls, subscriptions and general trigger functions', () => {
  const added: SchemaFile[] = [
    {
      path: 'people/functions.sql',
      subject: 'people',
      text: `create function private.upward() returns void language sql as $$
        select 1 -- private.is_word
        from public.transactions $$;
        comment on function private.upward() is 'Not public.imports.';`,
    },
    {
      path: 'money/triggers.sql',
      subject: 'money',
      text: `create trigger a before update on public.budgets for each statement execute function ledger.refuse_change();
        create trigger b after insert on public.transactions for each row execute function private.upward();`,
    },
  ]
  const known = new Set(usesOf(files).map(({ user, used }) => `${user} ${used}`))
  const found = usesOf([...files, ...added]).filter(({ user, used }) => !known.has(`${user} ${used}`))

  expect(found).toEqual([
    { from: 'people', to: 'money', user: 'private.upward', used: 'public.transactions' },
    { from: 'money', to: 'audit', user: 'public.budgets', used: 'ledger.refuse_change' },
  ])
  expect(forbiddenUses(found)).toEqual(['people → money: private.upward names public.transactions'])
})

test('schema_paths lists every file once, by pass and then by subject', () => {
  const folder = path.join(root, 'supabase/schemas')
  const stored = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.sql'))
  const places = files.map((file) => placeOf(file))

  expect(files.map((file) => file.path).toSorted()).toEqual(stored.toSorted())
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})

test('the first file of each subject names what the subject uses', () => {
  for (const [subject, lower] of Object.entries(subjects)) {
    const first = files.find((file) => file.subject === subject && file.path !== 'ground/begin.sql')
    expect(first?.text, subject).toContain(`\n-- Uses: ${lower.join(', ') || 'nothing'}.\n`)
    expect(first?.text, subject).toContain('\n-- Promises: ')
  }
})

test('a file has only statements of its pass', () => {
  const owners = objectsOf(files)
  for (const { path: file, subject, text } of files)
    for (const statement of statementsOf(text)) {
      const [, kind = ''] = /^create (?:constraint |unique )?(\w+)/.exec(statement) ?? []
      if (kind === 'trigger') expect(file).toMatch(/\/triggers\.sql$/)
      if (kind === 'table' || kind === 'policy' || kind === 'index') expect(file).toMatch(/\/tables\.sql$/)
      const [, table = ''] =
        /^create (?:policy|(?:unique )?index)[\s\S]*? on ([a-z_.]+)/.exec(statement) ?? []
      if (table !== '') expect(owners.get(table), statement).toBe(subject)
    }
})

/** Returns a number that grows with the pass and, within a pass, with the subject. */
function placeOf({ path: file, subject }: { path: string; subject: Subject }): number {
  const pass = passes.findIndex((each) => new RegExp(`/${each}(?:/|\\.sql$)`).test(file))
  if (pass === -1) throw new Error(`${file} is in no pass.`)
  return pass * names.length + names.indexOf(subject)
}
