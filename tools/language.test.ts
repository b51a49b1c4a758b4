// Checks STYLE.md's rules of English in comments, SQL comments, documents, test names, messages and commit subjects.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  type Sentence,
  messagesOf,
  sentencesOfCode,
  sentencesOfDocument,
  sentencesOfSql,
  testNamesOf,
} from './prose.ts'
import { parseFile } from './source-file.ts'
import { readTree, root } from './tree.ts'

/** Commits before this time are not checked. */
const subjectsCheckedSince = '2026-11-24T11:09:00Z'
const wordsMax = 40

const verb = '(?:is|are|was|were|has|had|can|cannot|may|must|does|did|comes|goes|stands|follows)'
const rules: readonly { readonly rule: string; readonly breaks: (sentence: string) => boolean }[] = [
  {
    rule: 'begin with the subject or a verb, not with a relative clause',
    breaks: (sentence) =>
      /^[("“]?(?:(?:of|for|to|from|with) )?(?:what|whatever|who|whoever|whom|whose)\b/i.test(sentence) &&
      !sentence.endsWith('?'),
  },
  {
    rule: 'name the subject in place of a clause with "what" or "who"',
    breaks: (sentence) =>
      new RegExp(`(?:[,;:]| and| or| but) (?:what|whatever|whoever) ${verb}\\b`, 'i').test(sentence),
  },
  {
    rule: 'negate the verb, not the noun',
    breaks: (sentence) =>
      /\b(?:is|are|was|were|be|has|have|had) none\b/i.test(sentence) ||
      /\b(?:is|are|was|were|be) no (?!longer\b|more\b|less\b|later\b|other\b)[a-z]/i.test(sentence),
  },
  {
    rule: 'name who tells: write "the page shows", "the server answers"',
    breaks: (sentence) => /\b(?:is|are|was|were|be|been|being) (?:told|said|spoken)\b/i.test(sentence),
  },
  {
    rule: 'name the measure: not "so long", "so many", "such" at the beginning',
    breaks: (sentence) => /^(?:so (?:long|many|much|few|often)|such)\b/i.test(sentence),
  },
  { rule: 'write "their own" or "its own"', breaks: (sentence) => /\bone['’]s own\b/i.test(sentence) },
]
const ruleOfLength = {
  rule: `at most ${wordsMax} words`,
  breaks: (sentence: string) => sentence.split(' ').length > wordsMax,
}
const rulesOfNames = [
  { rule: 'one rule in a test name: no semicolon', breaks: (name: string) => name.includes(';') },
  {
    rule: 'one rule in a test name: at most one comma',
    breaks: (name: string) => (name.match(/,/g)?.length ?? 0) > 1,
  },
]

/** Operators search the log for these words, and therefore each of them needs the established term. */
const ruleOfMessages = {
  rule: 'use the established term: requested, not asked for; deferred or not sent, not given up; closed, not sent elsewhere',
  breaks: (message: string) =>
    /\b(?:asked for|given up|swept|sent elsewhere|proof shown|(?:is|are) gone|this call took effect)\b/i.test(
      message,
    ),
}

const tree = readTree().filter(({ path }) => !path.includes('lock') && path !== 'tools/language.test.ts')
const code = tree.filter(({ path }) => /\.[cm]?[jt]sx?$/.test(path))
const sentences = [
  ...code.map(parseFile).flatMap(sentencesOfCode),
  ...tree.filter(({ path }) => path.endsWith('.sql')).flatMap(sentencesOfSql),
  // docs/es is excluded, because the guide for operators in this folder is in Spanish.
  ...tree
    .filter(({ path }) => path.endsWith('.md') && !path.startsWith('docs/es/'))
    .flatMap(sentencesOfDocument),
]
const messages = [...code, ...tree.filter(({ path }) => path.endsWith('.sql'))].flatMap(messagesOf)
const testNames = code.filter(({ path }) => /\.test\.tsx?$/.test(path)).flatMap(testNamesOf)

test('the check finds the sentences and test names of the repository', () => {
  expect(sentences.length).toBeGreaterThan(5_000)
  expect(testNames.length).toBeGreaterThan(1_000)
  expect(messages.length).toBeGreaterThan(600)
})

test('comments and documents follow the rules of English in STYLE.md', () => {
  expect(complaints(sentences, [...rules, ruleOfLength])).toEqual([])
})

test('names of tests follow the rules of English in STYLE.md', () => {
  expect(complaints(testNames, [...rules, ...rulesOfNames])).toEqual([])
})

test('texts of errors and lines of the log follow the rules of English in STYLE.md', () => {
  expect(complaints(messages, [...rules, ruleOfMessages])).toEqual([])
})

test.each([
  ["throw new SyntaxError('This is no statement.')", 'server/one.ts'],
  ["log.error({ err }, 'a mail was given up')", 'server/one.ts'],
  ["  'mail asked for': ['info', 'Se pidió un correo.'],", 'server/http/events.ts'],
  ["    raise exception 'The key is no HMAC.' using errcode = '22023';", 'supabase/one.sql'],
])('the message in %s breaks a rule', (text, path) => {
  expect(complaints(messagesOf({ path, text }), [...rules, ruleOfMessages])).toHaveLength(1)
})

test.each([
  ['What is told as done goes.', 2],
  ['Who has lost a phone, what is known and who asks are none.', 3],
  ['A name that one’s own bank has is no name.', 2],
  ['So long nothing may move.', 1],
  ['Returns what the caller asked for.', 0],
  ['The name no longer counts.', 0],
])('%s breaks %i rules', (sentence, count) => {
  expect(rules.filter(({ breaks }) => breaks(sentence)).length).toBe(count)
})

// A source archive has no Git history.
test.skipIf(!existsSync(path.join(root, '.git')))('commit subjects are `type(folder): imperative`', () => {
  const log = execFileSync(
    'git',
    ['log', '--no-merges', `--since=${subjectsCheckedSince}`, '--format=%h %s'],
    { cwd: root, encoding: 'utf8' },
  )

  const subjects = log.split('\n').filter((line) => line !== '')
  expect(subjects.filter((line) => !isImperative(line.slice(line.indexOf(' ') + 1)))).toEqual([])
})

test.each([
  ['fix(auth): refuse a link that was used', true],
  ['perf(rest): return early', true],
  ['build(.ci): run the tests', true],
  ['fix(web): a late answer closes no other dialog', false],
  ['fix(web): rows at 200 % keep to their cards', false],
  ['fix(web): closing a dialog tells the truth', false],
  ['fix(web): added a dialog', false],
  ['Refuse a link', false],
])('%s is a good subject: %s', (subject, expected) => {
  expect(isImperative(subject)).toBe(expected)
})

/**
 * Words that cannot be the imperative at the beginning of a commit subject, such as articles, pronouns,
 * prepositions and numbers.
 */
const beginsOtherwise =
  /^(?:an?|the|this|that|these|those|it|its|they|their|he|she|his|her|we|our|you|your|what|who|whose|which|when|where|while|why|how|if|as|at|by|for|from|in|into|of|on|to|with|without|under|over|after|before|between|no|not|nothing|nobody|none|one|two|three|four|five|each|every|all|any|some|both|half|another|other|more|most|many|few|such|so|only|also|there|here|now|again|less)$/
const inflected = /(?:[^s]s|[^e]ed|ing)$/
/** Imperatives that look like inflected verbs. */
const exceptions = /^(?:bring|focus|embed|bypass|shed|alias|bias)$/

function isImperative(subject: string): boolean {
  const [, word = ''] =
    /^(?:feat|fix|perf|refactor|test|docs|build|chore|ci|style)(?:\([\w./, -]+\))?!?: ([a-z]+)\b/.exec(
      subject,
    ) ?? []
  return word !== '' && !beginsOtherwise.test(word) && (exceptions.test(word) || !inflected.test(word))
}

function complaints(
  found: readonly Sentence[],
  which: readonly { readonly rule: string; readonly breaks: (sentence: string) => boolean }[],
): string[] {
  return found.flatMap(({ place, text }) =>
    which.filter(({ breaks }) => breaks(text)).map(({ rule }) => `${place}: ${rule}: ${text.slice(0, 160)}`),
  )
}
