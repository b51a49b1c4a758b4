/**
 * What a release runs on, as CycloneDX 1.5 (ECMA-424). `npm sbom --omit=dev` leaves out what the root asks for as
 * well, for its tests: `pg`, `ws` and the embedded engine among them.
 */
import { type Lockfile, dependenciesOf, runtimePackages } from './lockfile.ts'

type Component = {
  type: 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
  hashes: { alg: 'SHA-512'; content: string }[]
  licenses: ({ license: { id: string } } | { expression: string })[]
}

/** A document of CycloneDX. It names no time and no number of its own: of one lockfile there is one. */
export type BillOfMaterials = {
  $schema: string
  bomFormat: 'CycloneDX'
  specVersion: '1.5'
  version: 1
  metadata: { component: { type: 'application'; 'bom-ref': string; name: string; version: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** The bill of the server, the page, and the Node that comes with them; binaries for every platform are among it. */
export function billOfMaterials(lockfile: Lockfile): BillOfMaterials {
  const { packages } = lockfile
  const release = { name: 'finanzas', version: packages['']?.version ?? '' }
  const nodes = Object.keys(packages['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`)
  const bought = ['server', 'web']
    .flatMap((workspace) => runtimePackages(lockfile, workspace))
    .concat(nodes)
    .filter((place) => packages[place]?.link !== true)
  const refs = new Map(bought.map((place) => [place, refOf(lockfile, place)]))
  // One version may lie in several places.
  const places = new Map([...refs].map(([place, ref]) => [ref, place]))
  const refsOf = (dependencies: readonly string[]) =>
    [...new Set(dependencies.map((place) => refs.get(place)).filter((ref) => ref !== undefined))].toSorted(
      inOrder,
    )
  const own = `${release.name}@${release.version}`
  const direct = [...['server', 'web'].flatMap((workspace) => dependenciesOf(lockfile, workspace)), ...nodes]
  const components = [...places].toSorted(([a], [b]) => inOrder(a, b))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': own, ...release } },
    components: components.map(([ref, place]) => componentOf(lockfile, ref, place)),
    dependencies: [
      { ref: own, dependsOn: refsOf(direct) },
      ...components.map(([ref, place]) => ({ ref, dependsOn: refsOf(dependenciesOf(lockfile, place)) })),
    ],
  }
}

function componentOf({ packages }: Lockfile, ref: string, place: string): Component {
  const { version = '', integrity = '', license } = packages[place] ?? {}
  const name = nameOf(place)
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
  const isExpression = license?.includes(' ') === true
  const licenses =
    license === undefined ? [] : [isExpression ? { expression: license } : { license: { id: license } }]
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    version,
    purl,
    hashes: [{ alg: 'SHA-512', content }],
    licenses,
  }
}

function refOf({ packages }: Lockfile, place: string): string {
  return `${nameOf(place)}@${packages[place]?.version ?? ''}`
}

function nameOf(place: string): string {
  return place.split('node_modules/').at(-1) ?? place
}

/** By code points: the same on every machine. */
function inOrder(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
