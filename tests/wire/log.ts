/** Reads the log of the server under test. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject } from 'vitest'

/** Waits until the log contains a line for the event with these fields, as described in docs/logging.md. */
export async function expectLogged(event: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
  await expect.poll(() => linesOf(event)).toContainEqual(expect.objectContaining(fields))
}

/** Returns the JSON lines of the log, without the lines that the server prints for human readers. */
export async function readLog(): Promise<string[]> {
  const output = await readFile(join(inject('server').dataDir, 'server.log'), 'utf8')
  return output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
}

async function linesOf(event: string): Promise<unknown[]> {
  const lines = await readLog()
  return lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === event)
}
