// `npm run sbom` lists the packages of a release in CycloneDX format, using npm's own command. npm would omit
// packages that are also devDependencies of the root package (pg, ws, the embedded engine). This script therefore
// gives npm a copy of the manifests without devDependencies.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

type Manifest = { devDependencies?: unknown; dev?: boolean }
type Lockfile = { packages: Record<string, Manifest | undefined> }

const folder = mkdtempSync(path.join(tmpdir(), 'finanzas-sbom-'))
try {
  const workspaces = ['', 'contract', 'server', 'web']
  const lockfile = read('package-lock.json') as Lockfile
  for (const workspace of workspaces) {
    const manifest = read(path.join(workspace, 'package.json')) as Manifest
    delete manifest.devDependencies
    delete lockfile.packages[workspace]?.devDependencies
    mkdirSync(path.join(folder, workspace), { recursive: true })
    write(path.join(workspace, 'package.json'), manifest)
  }
  for (const [place, entry] of Object.entries(lockfile.packages))
    if (entry?.dev === true) delete lockfile.packages[place]
  write('package-lock.json', lockfile)
  const options = ['--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application']
  execFileSync('npm', ['sbom', ...options], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
} finally {
  rmSync(folder, { recursive: true })
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
}

function write(file: string, content: unknown): void {
  writeFileSync(path.join(folder, file), JSON.stringify(content))
}
