/** The endpoints of GoTrue that this server does not have: each says so, with the code that upstream has for it. */
import type { FastifyInstance } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { authErrors } from '#auth/errors.ts'

const refusals = {
  '/authorize': authErrors.providerDisabled,
  '/callback': authErrors.providerDisabled,
  '/user/identities/*': authErrors.manualLinkingDisabled,
  '/sso': authErrors.samlDisabled,
  '/sso/*': authErrors.samlDisabled,
  '/admin/*': authErrors.notSupported,
  '/oauth/*': authErrors.notSupported,
  '/passkeys': authErrors.notSupported,
  '/passkeys/*': authErrors.notSupported,
} as const

/** Answers each of them with its refusal, whatever the method. */
export function addRefusals(app: FastifyInstance): void {
  for (const [path, refusal] of Object.entries(refusals)) {
    app.all(path, () => {
      throw new WireError(refusal)
    })
  }
}
