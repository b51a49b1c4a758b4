// The programs of a hosted project's world, where `npm ci --prefix testing/hosted/packages` put them: Deno, which runs the functions,
// and the Supabase CLI, which deploys. The product runs without them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const packages = path.join(import.meta.dirname, 'packages/node_modules')
const denoPackages = ['linux-x64-glibc', 'linux-arm64-glibc', 'darwin-arm64', 'win32-x64']

/** The program file of Deno, or undefined when it is not installed. */
export function findDeno(): string | undefined {
  return denoPackages
    .flatMap((name) => ['deno', 'deno.exe'].map((file) => path.join(packages, '@deno', name, file)))
    .find((file) => existsSync(file))
}

/**
 * The program file of the Supabase CLI, or undefined when it is not installed. The binary is named by itself: the wrapper
 * `supabase` wants packages of platforms that registries may lack.
 */
export function findSupabaseCli(): string | undefined {
  const file = path.join(packages, '@supabase/cli-linux-x64/bin/supabase')
  return existsSync(file) ? file : undefined
}

/** How the CLI ended. */
export type CliEnd = { readonly code: number | null; readonly output: string }

const root = path.join(import.meta.dirname, '../..')

/** Runs `supabase <arguments>` in this checkout: no account, no Docker, nothing beyond loopback. */
export async function runSupabaseCli(given: readonly string[]): Promise<CliEnd> {
  const program = findSupabaseCli()
  if (program === undefined)
    throw new Error('The Supabase CLI is not installed: npm ci --prefix testing/hosted/packages')
  // A home of its own: the CLI keeps state there.
  const home = await mkdtemp(path.join(tmpdir(), 'finanzas-supabase-cli-'))
  try {
    const cli = spawn(program, [...given, '--yes', '--workdir', root, '--agent', 'no'], {
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
