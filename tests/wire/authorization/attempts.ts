/** Sends attempts as requests, and compares the outcomes of the requests with the permissions in permissions.ts. */
import { inject } from 'vitest'
import { type Attempt, isPermitted } from '#supabase/authorization/is-permitted.ts'
import type { WireActor } from './actors.ts'

/** The request that makes an attempt. The method is GET by default. */
export type Request = Pick<Attempt, 'verb' | 'object'> & {
  readonly target?: Attempt['target']
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** The outcome of a request: `rows`, `nothing`, `done`, or the status and code of a refusal. */
type Outcome = string

export type Result = { readonly attempt: Attempt; readonly outcome: Outcome }

/** Sends the requests of all actors concurrently, but the requests of one actor one after the other. */
export async function attemptAll(
  actors: readonly WireActor[],
  requestsOf: (actor: WireActor) => readonly Request[],
): Promise<readonly Result[]> {
  const results = await Promise.all(
    actors.map(async (actor) => {
      const mine: Result[] = []
      for (const request of requestsOf(actor)) mine.push(await attempt(actor, request))
      return mine
    }),
  )
  return results.flat()
}

async function attempt(actor: WireActor, request: Request): Promise<Result> {
  const { verb, object, target = 'none', method = 'GET', path, headers = {}, body } = request
  const answer = await fetch(`${inject('server').url}${path}`, {
    method,
    headers: {
      ...actor.headers,
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    attempt: { actor: actor.name, verb, object, column: null, target },
    outcome: method === 'HEAD' ? countOf(answer) : outcomeOf(answer, text, path),
  }
}

function outcomeOf({ ok, status }: Response, text: string, path: string): Outcome {
  const content = text === '' ? null : (JSON.parse(text) as unknown)
  if (!ok) {
    const { code, error } = (content ?? {}) as { code?: string; error?: string }
    return `${status} ${code ?? error ?? ''}`.trim()
  }
  return Array.isArray(content) && !path.includes('/rpc/') ? rows(content.length) : 'done'
}

function countOf({ ok, status, headers }: Response): Outcome {
  return ok ? rows(Number(headers.get('content-range')?.split('/')[1] ?? 0)) : String(status)
}

function rows(count: number): Outcome {
  return count === 0 ? 'nothing' : 'rows'
}

/**
 * Actors without an API key, and actors whose access has ended. Every surface refuses these actors before it checks any
 * permission.
 */
const keptOut = new Set(['nobody', 'former administrator', 'deleted', 'banned', 'expired'])

/** Lists the results that contradict the permissions in permissions.ts. */
export function unexpected(results: readonly Result[]): string[] {
  return results
    .filter(isUnexpected)
    .map(({ attempt: { actor, verb, object, target }, outcome }) =>
      [actor, verb, object, target, outcome].join(' | '),
    )
}

/**
 * Refusals for a table or schema that the API does not serve. The API sends these refusals before it checks the
 * session.
 */
const unknown = new Set(['404 PGRST205', '406 PGRST106'])

function isUnexpected({ attempt: tried, outcome }: Result): boolean {
  if (unknown.has(outcome)) return isPermitted(tried)
  if (keptOut.has(tried.actor)) return tried.verb === 'receive' ? outcome === 'rows' : !/^401\b/.test(outcome)
  if (isPermitted(tried)) return outcome !== 'rows' && outcome !== 'done'
  return outcome !== 'nothing' && !/^(40[134]\b|400 P0001|40[09] No puedes)/.test(outcome)
}
