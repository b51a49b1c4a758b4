/**
 * Other versions of the program, each in a folder of its own: a copy of this checkout, which can get further migrations,
 * and the sources of an earlier commit. They use the packages of this checkout.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Release } from '#server/database/migrate.ts'

const root = join(import.meta.dirname, '..')
/** The sources of a server and of its commands. */
const sources = ['contract', 'server', 'supabase', 'package.json']
const workspaces = ['contract', 'server', 'web']

/** Copies the sources of this checkout into an empty folder. `others` are further files and folders to copy. */
export async function copyProgram(folder: string, others: readonly string[] = []): Promise<void> {
  for (const name of [...sources, ...others])
    await cp(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    })
}

/** Writes the sources of a commit into an empty folder. */
export function copyCommit(folder: string, commit: string): void {
  const archive = execFileSync('git', ['archive', commit, ...sources], { cwd: root, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
}

/** Links the packages of this checkout. The workspaces of the folder itself take the place of this checkout's. */
export async function linkPackages(folder: string): Promise<void> {
  for (const workspace of ['.', ...workspaces]) {
    const installed = join(root, workspace, 'node_modules')
    if (!existsSync(installed) || !existsSync(join(folder, workspace))) continue
    const linked = join(folder, workspace, 'node_modules')
    await mkdir(linked)
    for (const name of await readdir(installed))
      if (name !== '@finanzas') await symlink(join(installed, name), join(linked, name))
  }
  await mkdir(join(folder, 'node_modules/@finanzas'))
  for (const workspace of workspaces)
    await symlink(join(folder, workspace), join(folder, 'node_modules/@finanzas', workspace))
}

/** Makes a later version of a copied program, with further migrations. */
export function addRelease(
  folder: string,
  { version, migrations }: { version: string; migrations: Release },
): void {
  const manifest = join(folder, 'package.json')
  const written = JSON.parse(readFileSync(manifest, 'utf8')) as object
  writeFileSync(manifest, `${JSON.stringify({ ...written, version }, null, 2)}\n`)
  const serverManifest = join(folder, 'server/package.json')
  const server = JSON.parse(readFileSync(serverManifest, 'utf8')) as object
  writeFileSync(serverManifest, `${JSON.stringify({ ...server, version }, null, 2)}\n`)
  for (const [kind, target] of [
    ['platform', 'server/database/platform'],
    ['product', 'supabase/migrations'],
  ] as const)
    for (const { version: number, name, text } of migrations[kind])
      writeFileSync(join(folder, target, `${number}_${name}.sql`), text)
}

/** Returns the output of a git command in this checkout, or `null` without the history of git. */
export function gitOutput(...command: string[]): string | null {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore']
    return execFileSync('git', command, { cwd: root, encoding: 'utf8', stdio }).trim()
  } catch {
    return null
  }
}
