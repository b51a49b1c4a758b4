// The house rules that no linter knows, each a pure function from a file to its offences. Every message
// says what to write instead.
import path from 'node:path'
import { importsOf, targetOf, type Import } from './imports.ts'
import { boundaryOf, mayImport, mayImportPackage } from './boundaries.ts'
import { splitSource } from './source-text.ts'
import type { SourceFile } from './tree.ts'

/** One rule: its offences in one file, as messages. */
type Rule = (file: SourceFile) => string[]

const code = /\.[cm]?[jt]sx?$/
const codeOrSql = /\.(?:[cm]?[jt]sx?|sql)$/
const test = /\.test\.tsx?$/

/** Code lives in a folder that a boundary covers. */
const knownFolder: Rule = (file) => {
  if (!codeOrSql.test(file.path) || boundaryOf(folderOf(file)) !== undefined) return []
  return [`${file.path}: no boundary covers this folder; move the file, or add a row to tools/boundaries.ts`]
}

/** A file imports only what the boundary of its folder allows. */
const allowedImports: Rule = (file) => {
  const boundary = boundaryOf(folderOf(file))
  if (boundary === undefined || !code.test(file.path)) return []
  return importsOf(file.text).flatMap((found) => {
    const complaint = complaintAbout(found, file, boundary.name)
    return complaint === undefined ? [] : [`${file.path}:${found.line}: ${complaint}`]
  })
}

function complaintAbout({ specifier }: Import, file: SourceFile, boundary: string): string | undefined {
  const folder = folderOf(file)
  const target = targetOf(file.path, specifier)
  switch (target.kind) {
    case 'climbing':
      return file.path.startsWith('supabase/functions/') || file.path.endsWith('.mjs')
        ? undefined
        : `"${specifier}" climbs; write #folder/file.ts, which shows the folder`
    case 'unknown':
      return `"${specifier}" cannot be followed; import a literal #folder/file.ts or @finanzas/contract/file.ts`
    case 'package':
      return mayImportPackage(folder, target.name, test.test(file.path))
        ? undefined
        : `${boundary} may not import the package ${target.name}; see tools/boundaries.ts`
    case 'file':
      return mayImport(folder, target.folder)
        ? undefined
        : `${boundary} may not import ${target.folder}; move what both need to a folder that both may import`
    default:
      return target satisfies never
  }
}

const drawers = /^(?:utils?|helpers?|misc|common|shared|libs?|types)$/

/** No file or folder is named as a drawer for anything. */
const tellingNames: Rule = (file) => {
  if (!codeOrSql.test(file.path)) return []
  const names = file.path.split('/').map((part) => part.replace(/\..*$/, ''))
  return names
    .filter((name) => drawers.test(name))
    .map(
      (name) => `${file.path}: "${name}" says nothing; name the file after its one subject, beside its user`,
    )
}

/** No barrel: a file that only hands on what others export. The hosted functions' entrances are called index. */
const noBarrels: Rule = (file) => {
  const isIndex =
    /(?:^|\/)index\.[cm]?[jt]sx?$/.test(file.path) && !file.path.startsWith('supabase/functions/')
  return isIndex
    ? [`${file.path}: no barrels; import from the file that has the thing, and name this one`]
    : []
}

/** Named exports only, except where a tool's configuration asks for a default one. */
const noDefaultExports: Rule = (file) => {
  if (!code.test(file.path) || file.path.endsWith('.config.ts')) return []
  return linesWith(/\bexport\s+default\b|\bas\s+default\b/, splitSource(file.text).code).map(
    (line) => `${file.path}:${line}: export by name, so that one thing has one name everywhere`,
  )
}

/** No promise of later work in a comment of code or SQL. */
const noTodos: Rule = (file) => {
  if (!codeOrSql.test(file.path)) return []
  const comments = file.path.endsWith('.sql') ? sqlComments(file.text) : splitSource(file.text).comments
  return linesWith(/\b(?:TODO|FIXME|XXX|HACK)\b/, comments).map(
    (line) => `${file.path}:${line}: do it, open an issue, or write a decision record`,
  )
}

function sqlComments(text: string): string {
  return text.replace(/^[^\n]*?(?=--|$)/gm, '')
}

/** No test is the only one to run. */
const noFocusedTests: Rule = (file) =>
  linesWith(/\b(?:test|it|describe)(?:\s*\.\s*\w+)*\s*\.\s*only\b/, codeOf(file)).map(
    (line) =>
      `${file.path}:${line}: .only hides every other test; run one with "npx vitest run <file> -t <name>"`,
  )

/** A test that may be skipped says why, in a comment on its line or the one above. */
const explainedSkips: Rule = (file) => {
  if (!code.test(file.path)) return []
  const { code: text, comments } = splitSource(file.text)
  const commentLines = comments.split('\n')
  const skips = linesWith(
    /\b(?:test|it|describe)(?:\s*\.\s*\w+)*\s*\.\s*(?:skip|skipIf|runIf|todo|fixme)\b/,
    text,
  )
  return skips
    .filter((line) => !`${commentLines[line - 2] ?? ''}${commentLines[line - 1] ?? ''}`.trim())
    .map(
      (line) =>
        `${file.path}:${line}: a skipped test needs the reason in a comment above it, or to be deleted`,
    )
}

const homes = /(?<![\w.:)\]}*-])\/(?:home|Users|root|work|mnt|srv)\/\w/

/** No path of somebody's machine. */
const noMachinePaths: Rule = (file) =>
  linesWith(homes, file.text).map(
    (line) =>
      `${file.path}:${line}: a path of one machine; write it relative to the checkout or read it from the configuration`,
  )

/** No half of a merge that was not finished. */
const noConflictMarkers: Rule = (file) =>
  linesWith(/^(?:<{7}|>{7}|\|{7})(?: |$)/, file.text).map(
    (line) => `${file.path}:${line}: a conflict marker; keep one side, or both as one text`,
  )

/** Every rule, under the name its test gives it. */
export const rules: Record<string, Rule> = {
  knownFolder,
  allowedImports,
  tellingNames,
  noBarrels,
  noDefaultExports,
  noTodos,
  noFocusedTests,
  explainedSkips,
  noMachinePaths,
  noConflictMarkers,
}

function folderOf(file: SourceFile): string {
  return path.posix.dirname(file.path)
}

function codeOf(file: SourceFile): string {
  return code.test(file.path) ? splitSource(file.text).code : ''
}

/** The numbers, from 1, of the lines that match. */
function linesWith(pattern: RegExp, text: string): number[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
}
