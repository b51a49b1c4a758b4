/** What the edge runtime of a hosted project gives a function: a listener, and the project's address and keys. */

/** As far as it is used here; the runtime's own types are Deno's. */
declare const Deno: {
  serve(answer: (request: Request) => Promise<Response>): unknown
  readonly env: { get(name: string): string | undefined }
}

/** The project, as the platform tells its functions. */
export type Project = {
  readonly url: string
  readonly anonKey: string
  readonly serviceRoleKey: string
}

/** Reads the variables that the platform sets. Throws when one is missing. */
export function readProject(): Project {
  return {
    url: variable('SUPABASE_URL'),
    anonKey: variable('SUPABASE_ANON_KEY'),
    serviceRoleKey: variable('SUPABASE_SERVICE_ROLE_KEY'),
  }
}

/** Answers the function's requests from now on. */
export function listen(answer: (request: Request) => Promise<Response>): void {
  Deno.serve(answer)
}

function variable(name: string): string {
  const value = Deno.env.get(name)
  if (value === undefined || value === '') throw new Error(`${name} is not set.`)
  return value
}
