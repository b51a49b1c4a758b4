// The programs of a hosted project's world, where `npm ci --prefix testing/hosted/packages` put them: Deno, which runs the functions,
// and the Supabase CLI, which deploys. Neither is needed to run the product.
import { existsSync } from 'node:fs'
import path from 'node:path'

const packages = path.join(import.meta.dirname, 'packages/node_modules')
const denoPackages = ['linux-x64-glibc', 'linux-arm64-glibc', 'darwin-arm64', 'win32-x64']

/** The program file of Deno, or undefined when it is not installed. */
export function findDeno(): string | undefined {
  return denoPackages
    .flatMap((name) => ['deno', 'deno.exe'].map((file) => path.join(packages, '@deno', name, file)))
    .find((file) => existsSync(file))
}

/** The Supabase CLI's program file, for Node to run, or undefined when it is not installed. */
export function findSupabaseCli(): string | undefined {
  const file = path.join(packages, 'supabase/dist/supabase.js')
  return existsSync(file) ? file : undefined
}
