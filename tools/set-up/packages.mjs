// The packages of package-lock.json, exactly and without running their install scripts.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, run, say, SetUpError, withoutNpmScript } from './run.mjs'

/** Inside node_modules, so that whoever deletes the folder deletes the claim that it is complete. */
const stampFile = path.join(root, 'node_modules/.installed-from')

/** Runs `npm ci` unless node_modules was installed from this very package-lock.json. */
export function installPackages() {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'))
  const digest = createHash('sha256').update(lockfile).digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === digest) return

  say('installing the packages of package-lock.json')
  const isInstalled = run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    env: withoutNpmScript(),
  })
  if (!isInstalled)
    throw new SetUpError('npm ci failed; what it said stands above. Put it right and try again.')
  writeFileSync(stampFile, `${digest}\n`)
}
