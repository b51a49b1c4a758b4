/** The operator's programs as an operator runs them: arguments, an environment, and how they end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export type Ended = { code: number | null; stdout: string; stderr: string }

/** Starts `npm run <name> -- <given>` without npm; `ended` tells how it went. */
export function startCommand(
  name: string,
  given: readonly string[],
  environment: Readonly<Record<string, string>>,
): { process: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [`server/operator/commands/${name}.ts`, ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...environment },
  })
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr }),
  )
  return { process: child, ended }
}

/** Runs it to its end. */
export function runCommand(
  name: string,
  given: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  return startCommand(name, given, environment).ended
}
