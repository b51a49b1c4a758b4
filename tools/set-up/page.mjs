// The built web page, web/dist: rebuilt when what it is made of has changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installPackages } from './packages.mjs'
import { root, run, SetUpError } from './run.mjs'
import { checkRuntime } from './runtime.mjs'

/** Inside the output, which vite empties before it builds. The leading dot keeps it from being served. */
const stampFile = path.join(root, 'web/dist/.built-from')

/** Builds the web page unless web/dist was built from these very sources. Building takes all packages, serving does not. */
export async function buildPage() {
  const digest = digestOfSources()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === digest) return

  await installPackages()
  checkRuntime()
  const progress = { message: 'building the web page' }
  if (!(await run('vite', ['build', 'web', '--logLevel', 'warn'], { progress }))) {
    throw new SetUpError('the web page could not be built; what vite said stands above.')
  }
  writeFileSync(stampFile, `${digest}\n`)
}

function digestOfSources() {
  const digest = createHash('sha256')
  for (const file of ['package-lock.json', ...filesUnder('contract'), ...filesUnder('web')]) {
    digest
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)))
      .update('\0')
  }
  return digest.digest('hex')
}

/**
 * Every file under a folder, in an order that does not depend on the file system.
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true })
  const names = entries.filter((entry) => entry.name !== 'dist' && entry.name !== 'node_modules')
  return names
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesUnder(file) : [file]
    })
}
