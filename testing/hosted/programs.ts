// `npm ci --prefix testing/hosted/packages` installs two programs that tests of the hosted project need. Deno runs
// the functions, and the Supabase CLI deploys them. The product does not need these programs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const packages = path.join(import.meta.dirname, 'packages/node_modules')
const denoPackages = ['linux-x64-glibc', 'linux-arm64-glibc', 'darwin-arm64', 'win32-x64']

/** Returns the path of Deno, or undefined when it is not installed. */
export function findDeno(): string | undefined {
  return denoPackages
    .flatMap((name) => ['deno', 'deno.exe'].map((file) => path.join(packages, '@deno', name, file)))
    .find((file) => existsSync(file))
}

/**
 * Returns the path of the Supabase CLI, or undefined when it is not installed. The path leads to the binary instead
 * of its npm wrapper `supabase`. The wrapper needs the packages for other platforms, which some registries lack.
 */
export function findSupabaseCli(): string | undefined {
  const file = path.join(packages, '@supabase/cli-linux-x64/bin/supabase')
  return existsSync(file) ? file : undefined
}

/** Exit code and output of the CLI. */
export type CliEnd = { readonly code: number | null; readonly output: string }

const root = path.join(import.meta.dirname, '../..')

/**
 * Runs `supabase <arguments>` in this checkout. The command uses neither an account nor Docker, and no network except
 * loopback.
 */
export async function runSupabaseCli(given: readonly string[]): Promise<CliEnd> {
  const program = findSupabaseCli()
  if (program === undefined)
    throw new Error('The Supabase CLI is not installed: npm ci --prefix testing/hosted/packages')
  // The CLI stores its state in this temporary home directory.
  const home = await mkdtemp(path.join(tmpdir(), 'finanzas-supabase-cli-'))
  try {
    const cli = spawn(program, [...given, '--yes', '--workdir', root, '--agent', 'no'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        // supabase/config.toml reads this variable.
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
