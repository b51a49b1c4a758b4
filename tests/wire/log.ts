/** Reads the log of the server under test. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject } from 'vitest'

/** Waits for a line of an event with these fields, as in docs/logging.md. */
export async function expectLogged(event: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
  await expect.poll(() => linesOf(event)).toContainEqual(expect.objectContaining(fields))
}

/** Returns the JSON lines of the log, without the text that the server prints for people. */
export async function readLog(): Promise<string[]> {
  const output = await readFile(join(inject('server').dataDir, 'server.log'), 'utf8')
  return output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
}

async function linesOf(event: string): Promise<unknown[]> {
  const lines = await readLog()
  return lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === event)
}
