/** The log of the server under test. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject } from 'vitest'

/** Waits for the line of an event; fields as in docs/logging.md. */
export async function expectLogged(event: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
  await expect.poll(() => linesOf(event)).toContainEqual(expect.objectContaining(fields))
}

/** The lines of the log, without what is printed for people around it. */
export async function readLog(): Promise<string[]> {
  const output = await readFile(join(inject('server').dataDir, 'server.log'), 'utf8')
  return output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
}

async function linesOf(event: string): Promise<unknown[]> {
  const lines = await readLog()
  return lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === event)
}
