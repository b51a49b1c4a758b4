/**
 * Tests which set-up steps run before each npm script, in a clone without installed packages. Stubs replace the
 * programs that set-up runs, and record their calls.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const serverPackages =
  'npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --omit=dev --workspace=@finanzas/server --include-workspace-root'
const allPackages = 'npm ci --ignore-scripts --no-audit --no-fund --loglevel=error'
const vite = 'vite build web --logLevel warn'
const engine = 'node server/database/pglite/make-template.ts'

let clone: string

beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'finanzas-set-up-'))
  for (const name of [
    'tools/set-up',
    'testing/hosted/packages',
    'contract',
    'web',
    'package.json',
    'package-lock.json',
  ])
    cpSync(path.join(root, name), path.join(clone, name), {
      recursive: true,
      filter: (file) => !/\/(?:node_modules|dist)$/.test(file),
    })
  mkdirSync(path.join(clone, 'programs'))
  writeProgram(
    'programs/npm',
    `
case "$*" in *hosted*) mkdir -p testing/hosted/packages/node_modules; exit;; esac
rm -rf node_modules; mkdir -p node_modules/.bin; cp programs/vite node_modules/.bin/`,
  )
  writeProgram('programs/vite', 'mkdir -p web/dist; echo page > web/dist/index.html')
  writeProgram('programs/node', 'mkdir -p .cache/engine')
})

afterEach(() => rmSync(clone, { recursive: true }))

test.each(['admin', 'backup', 'restore', 'migrate-engine', 'verify-ledger', 'verify-statement'])(
  'npm run %s installs only the packages of the server, and only once',
  (command) => {
    const purpose = purposeOf(command)

    expect(setUp(purpose)).toEqual([serverPackages])
    expect(setUp(purpose)).toEqual([])
  },
)

test('set-up updates all packages if all are installed, even before a command that needs only the server’s packages', () => {
  expect(setUp(purposeOf('dev'))).toEqual([allPackages, engine])
  expect(setUp(purposeOf('admin'))).toEqual([])

  writeFileSync(path.join(clone, 'package-lock.json'), '{}')

  expect(setUp(purposeOf('admin'))).toEqual([allPackages])
})

test.each(['start', 'check'])(
  'npm run %s installs every package, builds the page and prepares the engine only once',
  (script) => {
    const purpose = purposeOf(script)

    expect(setUp(purpose).filter((call) => !call.includes('hosted'))).toEqual([allPackages, vite, engine])
    expect(existsSync(path.join(clone, 'web/dist/index.html'))).toBe(true)
    expect(setUp(purpose)).toEqual([])
  },
)

test('a production set-up builds the web page and then keeps only the server’s packages', () => {
  expect(setUp('production')).toEqual([allPackages, vite, serverPackages, engine])
  expect(setUp('production')).toEqual([])
  expect(setUp(purposeOf('start'))).toEqual([])
  expect(setUp(purposeOf('admin'))).toEqual([])
})

test('set-up creates the template of the embedded engine only for a server that uses this engine', () => {
  expect(setUp('start', { DATABASE_URL: 'postgres://db' })).toEqual([allPackages, vite])
  writeProgram('programs/node', 'exit 1')
  expect(setUp('start')).toEqual([engine])
})

const withoutRegistry = `
case "$1" in ping) echo "npm error code EAI_AGAIN" >&2; exit 1;; esac`

test('npm installs packages from its cache if the registry cannot be reached', () => {
  writeProgram('programs/npm', `${withoutRegistry}\nmkdir -p node_modules/.bin`)

  const { status, stdout } = run('command')

  expect(status).toBe(0)
  expect(callsOf().at(-1)).toBe(serverPackages.replace(allPackages, `${allPackages} --offline`))
  expect(stdout).toContain('the registry of npm does not answer (EAI_AGAIN)')
})

test('set-up shows the reason if the registry cannot be reached and the cache lacks packages', () => {
  writeProgram('programs/npm', `${withoutRegistry}\necho "npm error code ENOTCACHED" >&2; exit 1`)

  const { status, stderr } = run('command')

  expect(status).toBe(1)
  expect(stderr).toContain(
    'finanzas: the registry of npm does not answer (EAI_AGAIN), and its cache lacks packages. ' +
      'Check the network and `npm config get registry`, and try again.',
  )
})

test('a registry that answers with an error counts as reachable', () => {
  writeProgram(
    'programs/npm',
    'case "$1" in ping) echo "npm error code E404" >&2; exit 1;; esac; mkdir -p node_modules',
  )

  expect(setUp('command')).toEqual([serverPackages])
})

test('set-up shows npm’s output and gives advice if npm fails', () => {
  writeProgram('programs/npm', 'echo "no such registry" >&2; exit 1')

  const { status, stderr } = run('command')

  expect(status).toBe(1)
  expect(stderr).toContain('no such registry')
  expect(stderr).toContain('finanzas: npm ci failed')
})

test.each([
  ['ENOSPC', 'ci', /^finanzas: the disk of .* is full\. .* free some space and try again\.\n$/],
  ['EACCES', 'ci', /^finanzas: this user cannot write in .*\. Run the command as the owner of this folder/],
  ['EACCES', 'ping', /^finanzas: this user cannot write in /],
])('set-up explains the error %s of npm %s in one sentence without npm’s output', (code, call, sentence) => {
  writeProgram(
    'programs/npm',
    `case "$1" in ${call}) printf 'npm error code ${code}\nnpm error stack\n' >&2; exit 1;; esac`,
  )

  const { status, stderr } = run('command')

  expect(status).toBe(1)
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toContain('stack')
})

/** Returns the purpose that `package.json` passes to set-up before it runs the script. */
function purposeOf(script: string): string {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  return /^node tools\/set-up\/set-up\.mjs (\w+)$/.exec(scripts[`pre${script}`] ?? '')?.[1] ?? ''
}

/** Runs set-up and returns its calls of other programs, except `npm ping`. */
function setUp(purpose: string, variables: Record<string, string> = {}): string[] {
  rmSync(path.join(clone, 'calls'), { force: true })
  const { status, stderr } = run(purpose, variables)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return callsOf().filter((call) => !call.startsWith('npm ping'))
}

function callsOf(): string[] {
  const calls = path.join(clone, 'calls')
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
}

function run(purpose: string, variables: Record<string, string> = {}) {
  return spawnSync(process.execPath, ['tools/set-up/set-up.mjs', purpose], {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: `${path.join(clone, 'programs')}:/usr/bin:/bin`, ...variables },
  })
}

function writeProgram(file: string, script: string): void {
  writeFileSync(path.join(clone, file), `#!/bin/sh\necho "$(basename "$0") $*" >> calls\n${script}\n`)
  chmodSync(path.join(clone, file), 0o755)
}
