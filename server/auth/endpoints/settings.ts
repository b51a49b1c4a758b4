/** `GET /settings` (GoTrue, `api/settings.go`): what a client may offer. */
import type { FastifyInstance } from 'fastify'
import type { EndpointServices } from '#auth/services.ts'

/** Answers which ways of signing in there are: e-mail and password. */
export function addSettings(app: FastifyInstance, { config }: EndpointServices): void {
  app.get('/settings', () => ({
    external: { anonymous_users: false, email: true, phone: false },
    disable_signup: false,
    mailer_autoconfirm: config.autoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
  }))
}
