/**
 * `/auth/v1`: sign-up, sign-in, second factors and sessions in the protocol of supabase-js (GoTrue v2, `internal/api`).
 * The surface refuses OAuth providers, SSO, phone numbers, anonymous users, passkeys without a password, and other
 * features of a hosted project, each with its own code.
 */
import type { FastifyPluginCallback } from 'fastify'
import { allowedOrigins } from '#http/cors.ts'
import { WireError } from '#http/wire-error.ts'
import { requireApiKey, requireService } from './authenticate.ts'
import { addAdminLinks } from '#auth/endpoints/admin-links.ts'
import { addAdminUsers } from '#auth/endpoints/admin-users.ts'
import { addFactorChallenge } from '#auth/endpoints/factor-challenge.ts'
import { addFactors } from '#auth/endpoints/factors.ts'
import { addHealth, addJwks, addSettings, addUnsupported } from '#auth/endpoints/fixed-answers.ts'
import { addMailedLinks } from '#auth/endpoints/mailed-links.ts'
import { addRecoveryCodes } from '#auth/endpoints/recovery-codes.ts'
import { addSessions } from '#auth/endpoints/sessions.ts'
import { addStopNotices } from '#auth/endpoints/stop-notices.ts'
import { addSignup } from '#auth/endpoints/signup.ts'
import { addUser } from '#auth/endpoints/user.ts'
import { addVerify } from '#auth/endpoints/verify.ts'
import { errorHandler } from './error-answer.ts'
import { authErrors } from './errors.ts'
import { addBodyParser } from './request-body.ts'
import { type AuthServices, BackgroundTasks } from './services.ts'
import { SignInTurns } from './sign-in-turns.ts'

export function authSurface(
  given: Omit<AuthServices, 'backgroundTasks' | 'redirectOrigins' | 'signInTurns'>,
): FastifyPluginCallback {
  return (app, _options, done) => {
    const services: AuthServices = {
      ...given,
      redirectOrigins: allowedOrigins({ ...given.config, further: [] }),
      backgroundTasks: new BackgroundTasks(),
      signInTurns: new SignInTurns(),
    }
    addBodyParser(app)
    app.setErrorHandler(errorHandler())
    // Unknown paths have a route of their own, because the handler that serves the page would otherwise answer these
    // requests.
    app.all('/*', () => {
      throw new WireError(authErrors.notFound)
    })
    app.addHook('onClose', () => services.backgroundTasks.settled())

    // These endpoints do not require an API key, because browsers open some of them from a mail and monitors poll the
    // others.
    addVerify(app, services)
    addStopNotices(app, services)
    addJwks(app)
    addHealth(app)
    void app.register((keyed, _keyedOptions, keyedDone) => {
      keyed.addHook('onRequest', requireApiKey(services.apiKeys))
      addSignup(keyed, services)
      addSessions(keyed, services)
      addUser(keyed, services)
      addMailedLinks(keyed, services)
      addFactors(keyed, services)
      addFactorChallenge(keyed, services)
      addRecoveryCodes(keyed, services)
      addSettings(keyed, services)
      addUnsupported(keyed)
      void keyed.register((operators, _operatorsOptions, operatorsDone) => {
        operators.addHook('preHandler', requireService(services))
        addAdminUsers(operators, services)
        addAdminLinks(operators, services)
        operatorsDone()
      })
      keyedDone()
    })
    done()
  }
}
