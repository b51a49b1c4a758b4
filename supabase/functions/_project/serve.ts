/**
 * The entrance of a function on a hosted project. The platform's gateway has asked for a valid token (`verify_jwt`), and
 * lets preflights through; the caller is checked again here, and their rights by the database.
 */
import { bodyBytesMax } from '@finanzas/contract/limits.ts'
import { type FunctionName, answerCall } from '#server/functions/handlers/call.ts'
import { FunctionError, errorResponse } from '#server/functions/handlers/errors.ts'
import type { Project } from './clients.ts'
import { hostedRuntime } from './hosted-runtime.ts'

/** As far as it is used here; the runtime's own types are Deno's. */
declare const Deno: {
  serve(answer: (request: Request) => Promise<Response>): unknown
  readonly env: { get(name: string): string | undefined }
}

// As every service of a hosted project: access depends on the token, not on the origin.
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'authorization, x-client-info, apikey, content-type, idempotency-key, x-retry-count, traceparent, tracestate, baggage',
}

/** Serves one function. */
export function serve(name: FunctionName): void {
  const project = readProject()
  Deno.serve(async (request) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: corsHeaders })
    const response = await answer(request)
    for (const [header, value] of Object.entries(corsHeaders)) response.headers.set(header, value)
    return response
  })

  async function answer(request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response('Function not found', { status: 404 })
    const body = new Uint8Array(await request.arrayBuffer())
    if (body.length > bodyBytesMax)
      return errorResponse(new FunctionError(413, 'El cuerpo es demasiado grande.'))
    try {
      const runtime = hostedRuntime(project, request.headers.get('authorization'))
      const idempotencyKey = request.headers.get('idempotency-key')
      return await answerCall(name, { idempotencyKey, body }, runtime)
    } catch (error) {
      console.error(error)
      return errorResponse(new FunctionError(500, 'Error interno.'))
    }
  }
}

/** Reads the variables that the platform sets, and the bank's own secrets. Throws when one of the platform's is missing. */
function readProject(): Project {
  return {
    url: variable('SUPABASE_URL'),
    anonKey: variable('SUPABASE_ANON_KEY'),
    serviceRoleKey: variable('SUPABASE_SERVICE_ROLE_KEY'),
    bank: {
      bankName: Deno.env.get('BRAND_NAME') || 'Banco Finanzas',
      currency: Deno.env.get('DISPLAY_CURRENCY') === 'COP' ? 'COP' : 'USD',
    },
    statementKey: bytesOfPem(Deno.env.get('STATEMENT_SIGNING_KEY') ?? ''),
  }
}

/** The key in a PEM text, its line feeds written as `\\n` if need be; `null` for an empty one. */
function bytesOfPem(pem: string): Uint8Array<ArrayBuffer> | null {
  const base64 = pem.replaceAll(/-----[A-Z ]+-----|\\n|\s/g, '')
  return base64 === '' ? null : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function variable(name: string): string {
  const value = Deno.env.get(name)
  if (value === undefined || value === '') throw new Error(`${name} is not set.`)
  return value
}
