// Reads the text files of the repository, except in folders that git ignores.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A file's text, and its path relative to the root, with forward slashes. */
export type SourceFile = { path: string; text: string }

/** The root of the checkout. */
export const root = path.join(import.meta.dirname, '..')

/** The folders that git ignores, as `.gitignore` names them. The sources may have been copied without git's own data. */
const ignored = new Set(['/.git/', ...readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n')])
const textFile =
  /\.(?:[cm]?[jt]sx?|sql|css|html|json|md|ya?ml|toml|sh|cfg|ini|service|svg|txt)$|(?:^|\/)(?:\.ci\/run|\.gitignore|\.npmrc|\.nvmrc|Dockerfile(?:\.dockerignore)?)$/

/** Returns every text file of the repository, sorted by path. */
export function readTree(): SourceFile[] {
  return filesUnder('')
    .filter((file) => textFile.test(file))
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }))
}

function filesUnder(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!entry.isDirectory()) return [file]
      return ignored.has(`/${file}/`) || ignored.has(`${entry.name}/`) ? [] : filesUnder(file)
    })
}
