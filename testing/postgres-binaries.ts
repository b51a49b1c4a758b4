// Finds PostgreSQL's programs on this machine. Linux distributions do not put initdb on the PATH. Therefore the folders
// where these distributions install PostgreSQL are searched too.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Programs that a temporary cluster needs. */
const needed = ['initdb', 'postgres', 'pg_ctl', 'psql']

/**
 * Returns the folder with PostgreSQL's programs, or undefined when this machine lacks them. If PG_BIN is set, it names
 * the folder. Otherwise this function searches the PATH, then the folders of Debian and Homebrew, newest version
 * first.
 */
export function findPostgresBinaries(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = env['PG_BIN']
  if (chosen !== undefined && chosen !== '') return hasPrograms(chosen) ? chosen : undefined
  return candidates(env).find(hasPrograms)
}

function candidates(env: NodeJS.ProcessEnv): string[] {
  return [
    ...(env['PATH'] ?? '').split(path.delimiter),
    ...versionsIn('/usr/lib/postgresql', /^(\d+)$/),
    ...versionsIn('/opt/homebrew/opt', /^postgresql@(\d+)$/),
    ...versionsIn('/usr/local/opt', /^postgresql@(\d+)$/),
  ]
}

/** Returns the `bin` folders of all PostgreSQL versions installed in `parent`, newest first. */
function versionsIn(parent: string, name: RegExp): string[] {
  if (!existsSync(parent)) return []
  return readdirSync(parent)
    .flatMap((folder) => {
      const version = name.exec(folder)?.[1]
      return version === undefined ? [] : [{ folder, version: Number(version) }]
    })
    .sort((a, b) => b.version - a.version)
    .map(({ folder }) => path.join(parent, folder, 'bin'))
}

function hasPrograms(folder: string): boolean {
  return folder !== '' && needed.every((program) => existsSync(path.join(folder, program)))
}
