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

/** The statements, apart from `if`, that contain nested statements. */
const nestingStatements = [
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
]

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
  const open = openFunctions(path, text)
  const names = new Map<Node, string>()
  const ladders = new Set<Node>()
  const enter = (node: Node) => open.enter(names.get(node) ?? '')
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
    FunctionDeclaration: ({ id }) => open.enter(id?.name ?? ''),
    'FunctionDeclaration:exit': open.leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': open.leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': open.leave,
    IfStatement: (node) => {
      if (node.alternate?.type === 'IfStatement') ladders.add(node.alternate)
      if (!ladders.has(node)) open.nest()
    },
    'IfStatement:exit': (node) => {
      if (!ladders.has(node)) open.unnest()
    },
    ...Object.fromEntries(
      nestingStatements.flatMap((name) => [
        [name, open.nest],
        [`${name}:exit`, open.unnest],
      ]),
    ),
  }).visit(parseSync(path, text).program)
  return open.found
}

/** Counts the lines and the nested statements of each function between its start and its end. */
function openFunctions(path: string, text: string) {
  const found: { long: Found[]; deep: Found[] } = { long: [], deep: [] }
  const open: { name: string; depth: number; deepest: number }[] = []
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  return {
    found,
    enter: (name: string) => void open.push({ name, depth: 0, deepest: 0 }),
    leave: ({ start, end }: { start: number; end: number }) => {
      const { name, deepest } = open.pop() ?? { name: '', deepest: 0 }
      const title = `${path}:${lineAt(start)} ${name}`
      const size = lineAt(end) - lineAt(start) + 1
      if (name !== '' && size > functionLinesMax) found.long.push({ name: title, size })
      if (deepest > nestingMax) found.deep.push({ name: title, size: deepest })
    },
    nest: () => {
      const around = open.at(-1)
      if (around === undefined) return
      around.depth += 1
      around.deepest = Math.max(around.deepest, around.depth)
    },
    unnest: () => {
      const around = open.at(-1)
      if (around !== undefined) around.depth -= 1
    },
  }
}
