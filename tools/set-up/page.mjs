// Builds the web page in web/dist, whenever its sources have changed.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { installPackages } from './packages.mjs'
import { isMadeOf, root, run, SetUpError, stampAs } from './run.mjs'
import { checkRuntime } from './runtime.mjs'

/**
 * The stamp is inside the output, which vite empties before it builds. The leading dot keeps the server from serving
 * it.
 */
const stamp = path.join(root, 'web/dist/.built-from')

/**
 * Builds the web page unless web/dist was built from the present sources. Building needs all packages, serving does
 * not.
 */
export function buildPage() {
  const sources = ['package-lock.json', ...filesUnder('contract'), ...filesUnder('web')]
  if (isMadeOf(stamp, sources)) return
  installPackages()
  checkRuntime()
  if (!run('building the web page', 'vite', ['build', 'web', '--logLevel', 'warn']))
    throw new SetUpError('the web page could not be built; what vite said stands above.')
  stampAs(stamp, sources)
}

/**
 * Lists every file below a folder, in an order that does not depend on the file system.
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesUnder(file) : [file]
    })
}
