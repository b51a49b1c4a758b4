// Reads the imports and comments of a TypeScript or JavaScript file with oxc-parser.
import path from 'node:path'
import { Visitor, parseSync } from 'oxc-parser'
import type { SourceFile } from './tree.ts'

/** A text and its line number, counted from 1. */
type Located = { readonly value: string; readonly line: number }

export type ParsedFile = {
  readonly path: string
  /** All imports and re-exports, whether static, dynamic or in types. `value` is empty if the path is computed. */
  readonly imports: readonly Located[]
  /**
   * All `import()` expressions. `value` is the name of the function to which module-level code passes the expression,
   * or an empty string.
   */
  readonly dynamicImports: readonly Located[]
  readonly comments: readonly Located[]
}

export function parseFile({ path: file, text }: SourceFile): ParsedFile {
  const { program, module, comments } = parseSync(file, text)
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const literal = (source: string) => (/^(['"])(.*)\1$/.exec(source) ?? [])[2] ?? ''
  const imports: Located[] = []
  const add = (request: { value?: string; start: number; end: number } | null) => {
    if (request !== null)
      imports.push({
        value: request.value ?? literal(text.slice(request.start, request.end)),
        line: lineOf(request.start),
      })
  }
  for (const { moduleRequest } of module.staticImports) add(moduleRequest)
  const reExports = module.staticExports.flatMap(({ entries }) => entries)
  const requests = new Map(reExports.map(({ moduleRequest }) => [moduleRequest?.start, moduleRequest]))
  for (const request of requests.values()) add(request)
  for (const { moduleRequest } of module.dynamicImports) add(moduleRequest)
  const dynamicImports: Located[] = []
  const callers: string[] = []
  let functionDepth = 0
  const enter = () => void (functionDepth += 1)
  const leave = () => void (functionDepth -= 1)
  new Visitor({
    TSImportType: ({ source }) => add(source),
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: ({ callee }) =>
      void callers.push(functionDepth === 0 && callee.type === 'Identifier' ? callee.name : ''),
    'CallExpression:exit': () => void callers.pop(),
    ImportExpression: ({ start }) =>
      void dynamicImports.push({ value: callers.at(-1) ?? '', line: lineOf(start) }),
  }).visit(program)
  return {
    path: file,
    imports,
    dynamicImports,
    comments: comments.flatMap(({ value, start }) =>
      value.split('\n').map((line, index) => ({ value: line, line: lineOf(start) + index })),
    ),
  }
}

/** The target of an import: a file in this repository, a package, or a path that the rules do not resolve. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'climbing' | 'unknown' }

/**
 * Folders with their own package.json. In files inside such a folder, `#` refers to this folder. In all other files,
 * `#` refers to the root.
 */
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
