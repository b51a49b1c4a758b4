import { expect } from 'vitest'
import { anonymousClient } from '#testing/people.ts'
import { type Program, startReady } from './programs.ts'

export const email = 'admin@finanzas.local'
/** Matches the lines in which the first start shows the administrator's email address and password. */
export const made = /Email: +admin@finanzas\.local\n +Contraseña: (\S{20,})\n/

export const signInError = async (program: Program, password: string) =>
  (await (await anonymousClient(program)).auth.signInWithPassword({ email, password })).error

/** Starts a server and waits until the last line of its output has arrived. The server may be ready earlier. */
export async function startAnnounced(variables: Record<string, string>): Promise<Program> {
  const program = await startReady(variables)
  const lastLine = () => program.output().trimEnd().split('\n').at(-1)
  await expect.poll(lastLine).toMatch(/^Banco Finanzas está en http:\/\/localhost:\d+$/)
  return program
}
