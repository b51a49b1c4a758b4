// What a TypeScript or JavaScript file imports, exports and comments, as oxc-parser reads it.
import path from 'node:path'
import { Visitor, parseSync } from 'oxc-parser'
import type { SourceFile } from './tree.ts'

/** A finding at a line, counted from 1. */
export type Located<Value> = { readonly value: Value; readonly line: number }

export type ParsedFile = {
  readonly path: string
  /** Every import and re-export, static, dynamic or in a type; empty where it is computed. */
  readonly imports: readonly (Located<string> & { readonly isDynamic: boolean })[]
  readonly defaultExports: readonly number[]
  readonly comments: readonly Located<string>[]
  /** `only`, `skip` and their kin on `test`, `it` or `describe`. */
  readonly testModifiers: readonly Located<string>[]
}

const modifiers = new Set(['only', 'skip', 'skipIf', 'runIf', 'todo', 'fixme'])

export function parseFile({ path: file, text }: SourceFile): ParsedFile {
  const { program, module, comments } = parseSync(file, text)
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const literal = (source: string) => (/^(['"])(.*)\1$/.exec(source) ?? [])[2] ?? ''
  const imports: ParsedFile['imports'][number][] = []
  const add = (request: { value?: string; start: number; end: number } | null, isDynamic = false) => {
    if (request !== null)
      imports.push({
        value: request.value ?? literal(text.slice(request.start, request.end)),
        line: lineOf(request.start),
        isDynamic,
      })
  }
  for (const { moduleRequest } of module.staticImports) add(moduleRequest)
  const reExports = module.staticExports.flatMap(({ entries }) => entries)
  const requests = new Map(reExports.map(({ moduleRequest }) => [moduleRequest?.start, moduleRequest]))
  for (const request of requests.values()) add(request)
  for (const { moduleRequest } of module.dynamicImports) add(moduleRequest, true)
  const testModifiers: Located<string>[] = []
  new Visitor({
    TSImportType: ({ source }) => add(source),
    MemberExpression(node) {
      if (node.property.type !== 'Identifier' || !modifiers.has(node.property.name)) return
      const root = /^\w+/.exec(text.slice(node.start, node.end))?.[0] ?? ''
      if (['test', 'it', 'describe'].includes(root))
        testModifiers.push({ value: node.property.name, line: lineOf(node.property.start) })
    },
  }).visit(program)
  return {
    path: file,
    imports,
    defaultExports: reExports
      .filter(({ exportName }) => exportName.kind.startsWith('Default') || exportName.name === 'default')
      .map(({ start }) => lineOf(start)),
    comments: comments.flatMap(({ value, start }) =>
      value.split('\n').map((line, index) => ({ value: line, line: lineOf(start) + index })),
    ),
    testModifiers,
  }
}

/** Where an import leads: a file of this repository, a package, or nowhere that a rule can follow. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'climbing' | 'unknown' }

/** The folders with a package.json of their own, from which `#` counts; elsewhere it counts from the root. */
const workspaces = ['contract', 'server', 'web']

export function targetOf(file: string, specifier: string): Target {
  if (specifier === '..' || specifier.startsWith('../')) return { kind: 'climbing' }
  const inTree = (...parts: string[]): Target => ({ kind: 'file', path: path.posix.join(...parts) })
  if (specifier.startsWith('./')) return inTree(path.posix.dirname(file), specifier)
  if (specifier.startsWith('#'))
    return inTree(workspaces.find((workspace) => file.startsWith(`${workspace}/`)) ?? '.', specifier.slice(1))
  if (specifier.startsWith('@finanzas/contract/')) return inTree(specifier.slice('@finanzas/'.length))
  if (specifier === '' || /^(?:@finanzas\/|\/)/.test(specifier)) return { kind: 'unknown' }
  return { kind: 'package', name: specifier }
}
