/**
 * `npm run sbom`: what a release runs on, as CycloneDX. Seen red with the page's packages left out, with one
 * hash of another package, and with what npm's own command writes.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { BillOfMaterials } from './bill-of-materials.ts'
import type { LockedPackage, Lockfile } from './lockfile.ts'
import { root } from './tree.ts'

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
const { packages } = JSON.parse(textOf('package-lock.json')) as Lockfile

async function printed(): Promise<BillOfMaterials> {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    maxBuffer: 8 * 2 ** 20,
  })
  return JSON.parse(stdout) as BillOfMaterials
}

test('it names every package that the server and the page run on, with its version and its content, and no other', async () => {
  const { components } = await printed()

  const named = components.map(({ name, version, purl, hashes }) => {
    expect(decodeURIComponent(purl)).toBe(`pkg:npm/${name}@${version}`)
    return `${name}@${version} sha512-${Buffer.from(hashes[0]?.content ?? '', 'hex').toString('base64')}`
  })
  // npm marks by itself what only development asks for, and types that packages of the page would take as well.
  type Marked = LockedPackage & { dev?: boolean; devOptional?: boolean }
  const runs = (Object.entries(packages) as [string, Marked][])
    .filter(([place, { link }]) => place.includes('node_modules/') && link !== true)
    .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
    .map(
      ([place, { version, integrity }]) => `${place.split('node_modules/').at(-1)}@${version} ${integrity}`,
    )
  expect(runs.length).toBeGreaterThan(80)
  expect(new Set(named)).toEqual(new Set(runs))
  expect(named).toHaveLength(new Set(named).size)
})

test('it is what CycloneDX asks for: known words, a licence each, and edges that lead somewhere', async () => {
  const { bomFormat, specVersion, metadata, components, dependencies } = await printed()

  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.5'])
  expect(metadata.component.version).toBe((JSON.parse(textOf('package.json')) as { version: string }).version)
  expect(components.filter(({ licenses }) => licenses.length !== 1)).toEqual([])
  const refs = [metadata.component, ...components].map((component) => component['bom-ref'])
  expect(dependencies.map(({ ref }) => ref)).toEqual(refs)
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([])
  const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))
  expect(refs.slice(1).filter((ref) => !reached.has(ref))).toEqual([])
})

test('the image carries it', () => {
  const recipe = textOf('deploy/Dockerfile')

  expect(recipe).toContain('RUN node tools/print-bill-of-materials.ts > sbom.cdx.json\n')
  expect(recipe).toMatch(/^COPY --from=runtime \/bank\/sbom\.cdx\.json /m)
})
