/**
 * The entry point of a function on a hosted project. The platform's gateway has already required a valid
 * token (`verify_jwt`), except for preflight requests. The function verifies the caller again, and the
 * database checks the caller's rights.
 */
import { bodyBytesMax } from '@finanzas/contract/limits.ts'
import { bankParticulars } from '@finanzas/contract/papers/particulars.ts'
import { type FunctionName, answerCall } from '#server/functions/handlers/call.ts'
import { FunctionError, errorResponse } from '#server/functions/handlers/errors.ts'
import type { Project } from './clients.ts'
import { hostedRuntime } from './hosted-runtime.ts'

/** Declares the part of Deno that is used here, because Deno's own types are not available. */
declare const Deno: {
  serve(answer: (request: Request) => Promise<Response>): unknown
  readonly env: { get(name: string): string | undefined }
}

// Allows all origins, as every service of a hosted project does, because access depends on the token alone.
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'authorization, x-client-info, apikey, content-type, idempotency-key, x-retry-count, traceparent, tracestate, baggage',
}

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

/**
 * Reads the platform's variables and the bank's own secrets. Throws if one of the platform's variables is
 * missing.
 */
function readProject(): Project {
  return {
    url: variable('SUPABASE_URL'),
    anonKey: variable('SUPABASE_ANON_KEY'),
    serviceRoleKey: variable('SUPABASE_SERVICE_ROLE_KEY'),
    bank: {
      bankName: Deno.env.get('BRAND_NAME') || 'Banco Finanzas',
      currency: Deno.env.get('DISPLAY_CURRENCY') === 'COP' ? 'COP' : 'USD',
      particulars: bankParticulars({
        taxNumber: Deno.env.get('BANK_TAX_NUMBER'),
        address: Deno.env.get('BANK_ADDRESS'),
        phone: Deno.env.get('BANK_PHONE'),
        site: Deno.env.get('SITE_URL')?.replace(/\/+$/, ''),
      }),
    },
    statementKey: bytesOfPem(Deno.env.get('STATEMENT_SIGNING_KEY') ?? ''),
  }
}

/**
 * Decodes the key from PEM text, in which line feeds may be written as `\\n`. Returns `null` for an empty
 * text.
 */
function bytesOfPem(pem: string): Uint8Array<ArrayBuffer> | null {
  const base64 = pem.replaceAll(/-----[A-Z ]+-----|\\n|\s/g, '')
  return base64 === '' ? null : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function variable(name: string): string {
  const value = Deno.env.get(name)
  if (value === undefined || value === '') throw new Error(`${name} is not set.`)
  return value
}
