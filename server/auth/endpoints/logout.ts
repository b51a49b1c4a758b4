/** `POST /logout` (GoTrue, `api/logout.go`): sessions end at once, with every token that they had. */
import type { FastifyInstance } from 'fastify'
import { logEvent } from '#http/events.ts'
import { WireError } from '#http/wire-error.ts'
import { type LogoutScope, endSessions } from '#identity/session/sessions.ts'
import { requireUser } from '#auth/authenticate.ts'
import { authErrors } from '#auth/errors.ts'
import { readQuery } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'

export function addLogout(app: FastifyInstance, services: AuthServices): void {
  app.post('/logout', { config: { isNotShed: true } }, async (request, reply) => {
    const claims = await requireUser(request, services.tokenKey)
    const scope = readQuery(request, 'scope') ?? 'global'
    if (!isLogoutScope(scope)) throw new WireError(authErrors.unknownLogoutScope)
    await endSessions(services.database, claims, scope)
    logEvent(request.log, 'signed out', { userId: claims.sub, sessionId: claims.session_id, scope })
    return reply.code(204).send()
  })
}

function isLogoutScope(scope: string): scope is LogoutScope {
  return scope === 'global' || scope === 'local' || scope === 'others'
}
