// Extracts English prose: comments, descriptions of SQL objects, documents, test names and messages.
import type { ParsedFile } from './source-file.ts'
import type { SourceFile } from './tree.ts'

/** A sentence and its place, `file:line`. */
export type Sentence = { readonly place: string; readonly text: string }

/** Returns the sentences in the comments of a code file. Consecutive line comments are treated as one text. */
export function sentencesOfCode(file: ParsedFile): Sentence[] {
  const blocks: { line: number; text: string }[] = []
  let last = -1
  for (const { value, line } of file.comments) {
    const block = blocks.at(-1)
    if (block !== undefined && line === last + 1) block.text += `\n${value}`
    else blocks.push({ line, text: value })
    last = line
  }
  return blocks.flatMap(({ line, text }) => sentencesIn(text, file.path, line))
}

/** Returns the sentences in `--` comments and in `comment on … is '…'` statements. */
export function sentencesOfSql({ path, text }: SourceFile): Sentence[] {
  const comments = text.matchAll(/(?:^[ \t]*--[^\n]*\n?)+/gm)
  const descriptions = text.matchAll(/^comment on [^']*'((?:[^']|'')*)'/gm)
  return [
    ...[...comments].flatMap(({ 0: found, index }) => sentencesIn(found, path, lineAt(text, index))),
    ...[...descriptions].flatMap(({ 1: found = '', index }) =>
      sentencesIn(found.replaceAll("''", "'"), path, lineAt(text, index)),
    ),
  ]
}

/**
 * Returns the sentences in a Markdown document, except in code blocks. Each table cell is treated as a separate
 * text.
 */
export function sentencesOfDocument({ path, text }: SourceFile): Sentence[] {
  const prose = text.replace(/^[ \t]*```[\s\S]*?^[ \t]*```/gm, (code) => code.replace(/[^\n]/g, ''))
  const paragraphs = prose.matchAll(/[^\n]+(?:\n(?![\n|#>]|[-*] |\d+\. )[^\n]+)*/g)
  return [...paragraphs].flatMap(({ 0: paragraph, index }) =>
    paragraph
      .split(paragraph.startsWith('|') ? / \| |<br>/ : /$^/)
      .flatMap((cell) => sentencesIn(cell, path, lineAt(text, index))),
  )
}

/** Returns the names of all tests and test groups in a file. */
export function testNamesOf({ path, text }: SourceFile): Sentence[] {
  const calls = text.matchAll(/\b(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])((?:(?!\1)[^\\]|\\.)+)\1/g)
  return [...calls].map(({ 2: name = '', index }) => ({
    place: `${path}:${lineAt(text, index)}`,
    text: name,
  }))
}

/** Returns the texts of errors, and the lines of the log, in a code file or in SQL. */
export function messagesOf({ path, text }: SourceFile): Sentence[] {
  const pattern = path.endsWith('.sql') ? messagesInSql : messagesInCode
  const found = [...text.matchAll(pattern), ...(path === eventsFile ? text.matchAll(namesOfEvents) : [])]
  return found.map(({ groups, index }) => ({
    place: `${path}:${lineAt(text, index)}`,
    text: groups?.['message'] ?? '',
  }))
}

const messagesInSql = /\braise (?:exception|warning|notice) '(?<message>(?:[^']|'')*)'/g
/** Errors, calls of the log, and the line of a job that failed. */
const messagesInCode =
  /(?:\bnew \w*Error\(|\blogQuietly\([^'"`]*?,|\blog\.(?:error|warn|info)\([^'"`]*?,|\bfailure:)\s*(?<quote>['"`])(?<message>(?:(?!\k<quote>)[^\\]|\\.)+)\k<quote>/g
const eventsFile = 'server/http/events.ts'
const namesOfEvents = /^ {2}'(?<message>[^']+)': \[/gm

function sentencesIn(text: string, path: string, line: number): Sentence[] {
  return text
    .replace(/^[\s/*#|>-]+/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?:]) (?=[A-Z`{<(¿«])/)
    .filter((sentence) => sentence.includes(' '))
    .map((sentence) => ({ place: `${path}:${line}`, text: sentence }))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
