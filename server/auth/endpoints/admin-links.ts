/**
 * `POST /invite` and `POST /admin/generate_link` (GoTrue, `api/invite.go`, `api/mail.go`): invitations that the server
 * mails, and links that an operator's program mails itself. Unlike in GoTrue, `hashed_token` contains the link's token
 * itself. Clients pass this token to `verifyOtp` as `token_hash`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { type LinkOutcome, generateEmailChangeLink, generateLink } from '#people/generate-link.ts'
import { authErrors, refusals } from '#auth/errors.ts'
import { linkAddress, redirectTarget } from '#auth/links/redirect.ts'
import type { VerificationType } from '#mail/link-address.ts'
import { mailLink } from '#auth/links/mailed-link.ts'
import { type Fields, readFields, readQuery, readText } from '#auth/request-body.ts'
import { readAddress, readUserMetadata } from '#auth/user-fields.ts'
import type { AuthServices } from '#auth/services.ts'
import { userBody } from '#auth/user-body.ts'

export function addAdminLinks(app: FastifyInstance, services: AuthServices): void {
  app.post('/invite', (request) => invite(request, services))
  app.post('/admin/generate_link', (request) => generate(request, services))
}

async function invite(request: FastifyRequest, services: AuthServices) {
  const { database, keys } = services
  const fields = readFields(request)
  const email = readAddress(fields)
  const userMetadata = readUserMetadata(fields) ?? {}
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  const wanted = { type: 'invite', email, passwordHash: null, userMetadata } as const
  const { user, token } = madeLink(await generateLink(database, keys, wanted))
  const link = { email, type: 'invite', redirectTo, token, code: '' } as const
  services.backgroundTasks.run(() => mailLink(services, link), request.log)
  return userBody(user)
}

async function generate(request: FastifyRequest, services: AuthServices) {
  const fields = readFields(request)
  const asked = readQuery(request, 'redirect_to') ?? readText(fields, 'redirect_to')
  const redirectTo = redirectTarget(asked, services)
  const { type, outcome } = await generateByType(fields, services)
  const { user, token, code } = madeLink(outcome)
  return {
    ...userBody(user),
    action_link: linkAddress(services.config.siteUrl, { token, type, redirectTo }),
    email_otp: code,
    hashed_token: token,
    verification_type: readText(fields, 'type'),
    redirect_to: redirectTo,
  }
}

async function generateByType(
  fields: Fields,
  { database, keys, passwords }: AuthServices,
): Promise<{ type: VerificationType; outcome: LinkOutcome }> {
  const email = readAddress(fields)
  const userMetadata = readUserMetadata(fields) ?? {}
  const type = readText(fields, 'type')
  switch (type) {
    case 'signup': {
      const password = readText(fields, 'password')
      if (password === null) throw new WireError(authErrors.missingPassword)
      const passwordHash = await passwords.hash(password, { email })
      const wanted = { type, email, passwordHash, userMetadata } as const
      return { type, outcome: await generateLink(database, keys, wanted) }
    }
    case 'magiclink':
    case 'recovery':
    case 'invite': {
      const wanted = { type, email, passwordHash: null, userMetadata } as const
      return { type, outcome: await generateLink(database, keys, wanted) }
    }
    case 'email_change_current':
    case 'email_change_new': {
      const side = type === 'email_change_current' ? 'current' : 'next'
      const wanted = { side, email, newEmail: readAddress(fields, 'new_email') } as const
      return { type: 'email_change', outcome: await generateEmailChangeLink(database, keys, wanted) }
    }
    case null:
    default:
      throw new WireError(authErrors.unsupportedLinkType)
  }
}

function madeLink(outcome: LinkOutcome) {
  if (outcome.kind === 'made') return outcome.link
  throw new WireError(refusals[outcome.kind])
}
