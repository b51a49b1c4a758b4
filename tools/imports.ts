// Which files a source file imports, in every way TypeScript has to say it, and the folder each is in.
import path from 'node:path'
import { splitSource } from './source-text.ts'

/** One import: what is written (empty when it is computed), and on which line (from 1). */
export type Import = { specifier: string; line: number }

/** Where an import leads: a file of this repository, a package, or nowhere that the rules allow. */
export type Target =
  | { kind: 'file'; folder: string }
  | { kind: 'package'; name: string }
  | { kind: 'climbing' }
  | { kind: 'unknown' }

const forms = [
  // import x from '…', import type { X } from '…', export { x } from '…', export * from '…'
  /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*(['"])/g,
  // import '…'
  /\bimport\s*(['"])/g,
  // import('…'), in code and in types; require('…')
  /\b(?:import|require)\s*\(\s*(['"`])/g,
  // import(name): leads wherever the name says, so the rules cannot follow it
  /\bimport\s*\(\s*(?=[^\s'"`])/g,
]

/** The folders with a package.json of their own, from which `#` counts; elsewhere it counts from the root. */
const workspaces = ['contract', 'server', 'web']

/** Every import of a source text. */
export function importsOf(text: string): Import[] {
  const { code } = splitSource(text)
  return forms.flatMap((form) =>
    [...code.matchAll(form)].map((match) => {
      const start = match.index + match[0].length
      const end = match[1] === undefined ? start : code.indexOf(match[1], start)
      return { specifier: text.slice(start, end), line: code.slice(0, start).split('\n').length }
    }),
  )
}

/** Where `specifier`, written in `file`, leads. */
export function targetOf(file: string, specifier: string): Target {
  if (specifier === '..' || specifier.startsWith('../')) return { kind: 'climbing' }
  if (specifier.startsWith('./')) return fileIn(path.posix.join(path.posix.dirname(file), specifier))
  if (specifier.startsWith('#')) {
    const owner = workspaces.find((workspace) => file.startsWith(`${workspace}/`)) ?? '.'
    return fileIn(path.posix.join(owner, specifier.slice(1)))
  }
  if (specifier.startsWith('@finanzas/contract/')) return fileIn(specifier.slice('@finanzas/'.length))
  if (
    specifier === '' ||
    specifier.startsWith('@finanzas/') ||
    specifier.startsWith('/') ||
    specifier.includes('${')
  ) {
    return { kind: 'unknown' }
  }
  return { kind: 'package', name: specifier }
}

function fileIn(file: string): Target {
  return { kind: 'file', folder: path.posix.dirname(file) }
}
