/**
 * `/stop_notices`, the URL in the header `List-Unsubscribe` of a notice (RFC 8058). A mail program sends a `POST` that
 * has no API key and whose body is a form. A `GET` changes nothing, because mail scanners follow links. The `GET`
 * redirects to the page that asks the user to confirm.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authBodyBytesMax } from '@finanzas/contract/limits.ts'
import { stopNoticesLinkType } from '@finanzas/contract/people/mailed-link.ts'
import { authErrors } from '#auth/errors.ts'
import { readQuery } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'
import { logEvent } from '#http/events.ts'
import { WireError } from '#http/wire-error.ts'
import { stopNotices } from '#people/stop-notices.ts'
import { pageAddress } from '#mail/link-address.ts'

export function addStopNotices(app: FastifyInstance, { database, keys, config }: AuthServices): void {
  const tokenOf = (request: FastifyRequest) => readQuery(request, 'token') ?? ''
  const stop = async (request: FastifyRequest) => {
    const stopped = await stopNotices(database, keys, tokenOf(request))
    if (stopped === null) throw new WireError(authErrors.linkExpired)
    logEvent(request.log, 'notices stopped', stopped)
    return {}
  }
  void app.register((forms, _options, done) => {
    forms.removeAllContentTypeParsers()
    // The form always has the same content.
    const parsed = { parseAs: 'string', bodyLimit: authBodyBytesMax } as const
    forms.addContentTypeParser('*', parsed, (_request, _body, parsedDone) => parsedDone(null, undefined))
    forms.get('/stop_notices', { exposeHeadRoute: false }, (request, reply) =>
      reply.redirect(
        pageAddress(config.siteUrl, { token: tokenOf(request), type: stopNoticesLinkType }),
        303,
      ),
    )
    forms.post('/stop_notices', (request) => stop(request))
    done()
  })
}
