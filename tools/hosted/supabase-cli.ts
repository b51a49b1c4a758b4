// Runs the Supabase CLI against a stand-in of the platform: no account, no Docker, nothing beyond loopback.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findSupabaseCli } from './programs.ts'

/** A project's reference, as the CLI expects one to look; it names nothing. */
export const projectRef = 'abcdefghijklmnopqrst'

/** The page's address that supabase/config.toml asks the environment for. */
export const siteUrl = 'https://banco.example'

/** How the CLI ended. */
export type CliEnd = { readonly code: number | null; readonly output: string }

const root = path.join(import.meta.dirname, '../..')

/** Runs `supabase <arguments>` in this checkout, with the platform at `apiUrl`. */
export async function runSupabaseCli(apiUrl: string, given: readonly string[]): Promise<CliEnd> {
  const program = findSupabaseCli()
  if (program === undefined)
    throw new Error('The Supabase CLI is not installed: npm ci --prefix tools/hosted/packages')
  // Its own: what the CLI remembers of anybody who uses it here is none of a test's business.
  const home = await mkdtemp(path.join(tmpdir(), 'finanzas-supabase-cli-'))
  try {
    const profile = path.join(home, 'profile.json')
    const profileOf = { name: 'stand-in', api_url: apiUrl, dashboard_url: apiUrl, project_host: '127.0.0.1' }
    await writeFile(profile, JSON.stringify(profileOf))
    const cli = spawn(
      process.execPath,
      [program, ...given, '--yes', '--profile', profile, '--workdir', root, '--agent', 'no'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env['PATH'],
          // supabase/config.toml asks for it.
          SITE_URL: siteUrl,
          HOME: home,
          SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`,
          SUPABASE_TELEMETRY_DISABLED: '1',
          DO_NOT_TRACK: '1',
        },
      },
    )
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
