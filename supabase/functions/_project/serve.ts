/**
 * The entrance of a function on a hosted project. The platform's gateway has asked for a valid token (`verify_jwt`), and
 * lets preflights through; who the caller is, and whether they may, is asked again here and by the database.
 */
import { bodyBytesMax } from '@finanzas/contract/limits.ts'
import { type FunctionName, answerCall } from '#server/functions/handlers/call.ts'
import { Refusal, refusalResponse } from '#server/functions/handlers/refusals.ts'
import { placeOf } from './place.ts'
import { listen, readProject } from './runtime.ts'

// As every service of a hosted project: a token, not an origin, is what opens something.
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'authorization, x-client-info, apikey, content-type, idempotency-key, x-retry-count, traceparent, tracestate, baggage',
}

/** Serves one function. */
export function serve(name: FunctionName): void {
  const project = readProject()
  listen(async (request) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: corsHeaders })
    const response = await answer(request)
    for (const [header, value] of Object.entries(corsHeaders)) response.headers.set(header, value)
    return response
  })

  async function answer(request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response('Function not found', { status: 404 })
    const body = new Uint8Array(await request.arrayBuffer())
    if (body.length > bodyBytesMax) return refusalResponse(new Refusal(413, 'El cuerpo es demasiado grande.'))
    try {
      const place = placeOf(project, request.headers.get('authorization'))
      return await answerCall(name, { headers: request.headers, body }, place)
    } catch (error) {
      console.error(error)
      return refusalResponse(new Refusal(500, 'Error interno.'))
    }
  }
}
