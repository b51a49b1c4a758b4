// Counts files, lines, long files, long functions and deep nesting: `npm run sizes`. Tests and generated types do not
// count, and neither do functions without a name, such as the callback of a test. An `else if` nests no deeper than its
// `if`.
import { type Node, Visitor, parseSync } from 'oxc-parser'
import { readTree } from './tree.ts'

const functionLinesMax = 60
const fileLinesMax = 150
const nestingMax = 3

const isCounted = (file: string) =>
  /\.[cm]?[jt]sx?$/.test(file) && !/\.test\.tsx?$|^contract\/database-types\.ts$/.test(file)

type Found = { readonly name: string; readonly size: number }

const files = readTree().filter(({ path }) => isCounted(path))
const linesOf = (text: string) => text.trimEnd().split('\n').length
const longFiles = files
  .map(({ path, text }) => ({ name: path, size: linesOf(text) }))
  .filter(({ size }) => size > fileLinesMax)
const shapes = files.map(({ path, text }) => shapeOf(path, text))

console.log(`${files.length} files, ${files.reduce((sum, { text }) => sum + linesOf(text), 0)} lines`)
print(`files over ${fileLinesMax} lines`, longFiles)
print(
  `functions over ${functionLinesMax} lines`,
  shapes.flatMap(({ long }) => long),
)
print(
  `functions with more than ${nestingMax} nested statements`,
  shapes.flatMap(({ deep }) => deep),
)

function print(title: string, found: readonly Found[]): void {
  console.log(`\n${title}: ${found.length}`)
  for (const { name, size } of found.toSorted((a, b) => b.size - a.size)) console.log(`${size}  ${name}`)
}

function shapeOf(path: string, text: string): { long: Found[]; deep: Found[] } {
  const [long, deep]: [Found[], Found[]] = [[], []]
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const open: { name: string; depth: number; deepest: number }[] = []
  const enter = (name: string) => void open.push({ name, depth: 0, deepest: 0 })
  const leave = ({ start, end }: { start: number; end: number }) => {
    const { name, deepest } = open.pop() ?? { name: '', deepest: 0 }
    const title = `${path}:${lineAt(start)} ${name}`
    const size = lineAt(end) - lineAt(start) + 1
    if (name !== '' && size > functionLinesMax) long.push({ name: title, size })
    if (deepest > nestingMax) deep.push({ name: title, size: deepest })
  }
  const nest = () => {
    const around = open.at(-1)
    if (around === undefined) return
    around.depth += 1
    around.deepest = Math.max(around.deepest, around.depth)
  }
  const unnest = () => {
    const around = open.at(-1)
    if (around !== undefined) around.depth -= 1
  }
  const names = new Map<Node, string>()
  const ladders = new Set<Node>()
  const statements = [
    'ForStatement',
    'ForInStatement',
    'ForOfStatement',
    'WhileStatement',
    'DoWhileStatement',
    'SwitchStatement',
    'TryStatement',
  ]
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (init !== null && id.type === 'Identifier') names.set(init, id.name)
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier') names.set(value, key.name)
    },
    MethodDefinition: ({ key, value }) => {
      if (key.type === 'Identifier') names.set(value, key.name)
    },
    FunctionDeclaration: ({ id }) => enter(id?.name ?? ''),
    'FunctionDeclaration:exit': leave,
    FunctionExpression: (node) => enter(names.get(node) ?? ''),
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: (node) => enter(names.get(node) ?? ''),
    'ArrowFunctionExpression:exit': leave,
    IfStatement: (node) => {
      if (node.alternate?.type === 'IfStatement') ladders.add(node.alternate)
      if (!ladders.has(node)) nest()
    },
    'IfStatement:exit': (node) => {
      if (!ladders.has(node)) unnest()
    },
    ...Object.fromEntries(
      statements.flatMap((name) => [
        [name, nest],
        [`${name}:exit`, unnest],
      ]),
    ),
  }).visit(parseSync(path, text).program)
  return { long, deep }
}
