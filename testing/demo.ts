/** Starts the demo bank of `npm run demo`, for pictures and audits of its pages. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './ports.ts'

/** A running demo, the address of one of its customers, and the password of all its users. */
export type Demo = {
  readonly url: string
  readonly email: string
  readonly password: string
  readonly stop: () => Promise<void>
}

/** Starts a demo without pictures from the internet, and waits until it prints its users. */
export async function startDemo(): Promise<Demo> {
  const port = String(await freePort())
  const bank = spawn(process.execPath, ['server/demo/demo.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], PORT: port, AVATAR_URL: '', CHART_URL: '', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(bank, 'exit')
  let email = ''
  for await (const line of createInterface({ input: bank.stdout })) {
    email ||= /Cliente:\s+(\S+)/.exec(line)?.[1] ?? ''
    const password = /Contraseña de todos: (\S+)/.exec(line)?.[1]
    if (password === undefined) continue
    // The bank would stop at a full pipe.
    bank.stdout.resume()
    return { url: `http://127.0.0.1:${port}`, email, password, stop }
  }
  throw new Error('The demo ended before it served.')

  async function stop(): Promise<void> {
    bank.kill('SIGTERM')
    await ended
  }
}
