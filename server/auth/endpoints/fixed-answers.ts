/**
 * Endpoints whose answer does not depend on the request: health, keys, settings, and the refusals of GoTrue's endpoints
 * that this server lacks.
 */
import type { FastifyInstance } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { authErrors } from '#auth/errors.ts'
import type { AuthServices } from '#auth/services.ts'

/** `GET /health` (GoTrue, `api/api.go`). The server's own `/ready` reports whether the database answers. */
export function addHealth(app: FastifyInstance): void {
  app.get('/health', { config: { isNotShed: true } }, () => ({
    version: 'finanzas',
    name: 'GoTrue',
    description: 'The part of GoTrue that Finanzas uses',
  }))
}

/**
 * `GET /.well-known/jwks.json` (RFC 7517): an empty list, so that clients call `GET /user` instead of checking
 * signatures.
 */
export function addJwks(app: FastifyInstance): void {
  app.get('/.well-known/jwks.json', () => ({ keys: [] }))
}

/** `GET /settings` (GoTrue, `api/settings.go`): the sign-in methods that a client may offer. */
export function addSettings(app: FastifyInstance, { config }: AuthServices): void {
  app.get('/settings', () => ({
    external: { anonymous_users: false, email: true, phone: false },
    disable_signup: false,
    mailer_autoconfirm: config.autoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
  }))
}

const unsupported = {
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

/** Refuses every method of the GoTrue endpoints that this server lacks, with upstream's error codes. */
export function addUnsupported(app: FastifyInstance): void {
  for (const [path, refusal] of Object.entries(unsupported)) {
    app.all(path, () => {
      throw new WireError(refusal)
    })
  }
}
