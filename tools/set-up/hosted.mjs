// Deno and the Supabase CLI, for the tests of a hosted project's side: exactly as their own package-lock.json has them.
// Only tests need them; where they cannot be had those tests say in one line that they were left out.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, run, withoutNpmScript } from './run.mjs'

const folder = path.join(root, 'testing/hosted/packages')
const stampFile = path.join(folder, 'node_modules/.installed-from')

/** Runs `npm ci` there unless its packages were installed from this very lockfile. */
export async function installHosted() {
  const digest = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === digest) return

  const progress = { message: 'installing Deno and the Supabase CLI for the tests', folder }
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  if (await run('npm', ['ci', ...flags], { env: withoutNpmScript(), progress }))
    writeFileSync(stampFile, `${digest}\n`)
}
