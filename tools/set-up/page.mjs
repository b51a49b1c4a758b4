// Builds the web page in web/dist if its sources have changed.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { installPackages } from './packages.mjs'
import { isMadeOf, root, run, SetUpError, stampAs } from './run.mjs'
import { checkRuntime } from './runtime.mjs'

/**
 * The stamp file is inside the output folder, which Vite empties before each build. The server does not serve the stamp
 * file, because its name begins with a dot.
 */
const stamp = path.join(root, 'web/dist/.built-from')

/**
 * Builds the web page unless web/dist was built from the current sources. All packages are needed to build the
 * page, but not to serve it.
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
 * Lists all files inside a folder recursively, in an order that does not depend on the file system.
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
