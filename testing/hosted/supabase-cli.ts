// Runs the Supabase CLI: no account, no Docker, nothing beyond loopback.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findSupabaseCli } from './programs.ts'

/** How the CLI ended. */
export type CliEnd = { readonly code: number | null; readonly output: string }

const root = path.join(import.meta.dirname, '../..')

/** Runs `supabase <arguments>` in this checkout. */
export async function runSupabaseCli(given: readonly string[]): Promise<CliEnd> {
  const program = findSupabaseCli()
  if (program === undefined)
    throw new Error('The Supabase CLI is not installed: npm ci --prefix testing/hosted/packages')
  // A home of its own: the CLI keeps state there.
  const home = await mkdtemp(path.join(tmpdir(), 'finanzas-supabase-cli-'))
  try {
    const cli = spawn(process.execPath, [program, ...given, '--yes', '--workdir', root, '--agent', 'no'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        // supabase/config.toml asks for it.
        SITE_URL: 'https://banco.example',
        HOME: home,
        SUPABASE_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
      },
    })
    let output = ''
    for (const stream of [cli.stdout, cli.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    const [code] = (await once(cli, 'close')) as [number | null]
    return { code, output }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
