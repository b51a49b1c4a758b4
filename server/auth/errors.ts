/** Every error of `/auth/v1` (GoTrue, `apierrors/errorcode.go`); the comment says when it happens. */

/** Status, code and message of each; `badJwt` and `weakPassword` are completed where they are thrown. */
export const authErrors = {
  // The bearer's token.
  /** An endpoint for signed-in users was called with no token. */
  noAuthorization: {
    status: 401,
    code: 'no_authorization',
    message: 'This endpoint requires a valid Bearer token',
  },
  /** The token is not ours, was changed, or has expired. */
  badJwt: {
    status: 403,
    code: 'bad_jwt',
    message: 'invalid JWT: unable to parse or verify signature',
  },
  /** The token is an API key: it names nobody. */
  missingSub: { status: 403, code: 'bad_jwt', message: 'invalid claim: missing sub claim' },
  /** The token's session has ended, or its user is banned or gone. The client then signs out. */
  sessionNotFound: {
    status: 403,
    code: 'session_not_found',
    message: 'Session from session_id claim in JWT does not exist',
  },
  /** Somebody who is no administrator of the project sent `app_metadata`. */
  notAdmin: { status: 403, code: 'not_admin', message: 'User not allowed' },

  // The request.
  /** The body is not a JSON object. */
  badJson: { status: 400, code: 'bad_json', message: 'Could not parse request body as JSON' },
  /** The body is larger than 8 KiB. */
  bodyTooLarge: {
    status: 413,
    code: 'request_entity_too_large',
    message: 'Request body is too large',
  },
  /** Fastify refused the request before its endpoint saw it. */
  badRequest: { status: 400, code: 'validation_failed', message: 'The request could not be read' },
  /** A text field holds something else. */
  notText: { status: 400, code: 'validation_failed', message: 'Text fields must be strings' },
  invalidEmail: {
    status: 400,
    code: 'validation_failed',
    message: 'Unable to validate email address: invalid format',
  },
  /** `data` is no object, larger than 4 KiB, nested too deep, or holds text that cannot be stored. */
  invalidData: {
    status: 400,
    code: 'validation_failed',
    message: 'data must be a JSON object of at most 4096 bytes',
  },

  // Passwords.
  /** Sign-up without a password. */
  missingPassword: {
    status: 400,
    code: 'validation_failed',
    message: 'Signup requires a valid password',
  },
  passwordTooLong: {
    status: 400,
    code: 'validation_failed',
    message: 'Password cannot be longer than 128 characters',
  },
  /** Shorter than `PASSWORD_MIN_LENGTH`, which the message names. */
  weakPassword: { status: 422, code: 'weak_password', message: 'Password should be longer.' },
  samePassword: {
    status: 422,
    code: 'same_password',
    message: 'New password should be different from the old password.',
  },

  // Signing up and in.
  /** `AUTH_AUTOCONFIRM` only: otherwise the answer does not tell. */
  userAlreadyExists: { status: 422, code: 'user_already_exists', message: 'User already registered' },
  /** Sign-in without an address. */
  missingEmail: { status: 400, code: 'validation_failed', message: 'missing email or phone' },
  /** Unknown address, wrong password, no password: one answer. */
  invalidCredentials: { status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' },
  /** Told only to who knows the password. */
  emailNotConfirmed: { status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' },
  /** Told only to who knows the password, or holds a refresh token. */
  userBanned: { status: 400, code: 'user_banned', message: 'User is banned' },
  unsupportedGrant: { status: 400, code: 'invalid_credentials', message: 'unsupported_grant_type' },

  // Refreshing.
  /** Never was a refresh token. */
  refreshTokenMalformed: {
    status: 400,
    code: 'validation_failed',
    message: 'Refresh token is not valid',
  },
  /** Of a session that has ended, or signed with another key. */
  refreshTokenNotFound: {
    status: 400,
    code: 'refresh_token_not_found',
    message: 'Invalid Refresh Token: Refresh Token Not Found',
  },
  /** The session was older than it may be. */
  sessionExpired: {
    status: 400,
    code: 'session_expired',
    message: 'Invalid Refresh Token: Session Expired',
  },
  /** An old token: somebody copied it, and the session was ended. */
  refreshTokenAlreadyUsed: {
    status: 400,
    code: 'refresh_token_already_used',
    message: 'Invalid Refresh Token: Already Used',
  },
  unknownLogoutScope: {
    status: 400,
    code: 'validation_failed',
    message: 'Unsupported logout scope: use global, local or others',
  },

  // Mailed links.
  /** Used, expired, replaced by a newer one, or never sent. */
  linkExpired: { status: 403, code: 'otp_expired', message: 'Email link is invalid or has expired' },
  /** The same, for a token that was typed with its address. */
  tokenExpired: { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' },
  missingVerificationType: {
    status: 400,
    code: 'validation_failed',
    message: 'Verify requires a verification type',
  },
  unsupportedVerificationType: {
    status: 400,
    code: 'validation_failed',
    message: 'Unsupported verification type',
  },
  missingToken: {
    status: 400,
    code: 'validation_failed',
    message: 'Verify requires a token or a token hash',
  },
  /** `token` alone could be anybody's: the address says whose. */
  missingTokenOwner: {
    status: 400,
    code: 'validation_failed',
    message: 'Verify requires an email with the token',
  },
  recoveryNeedsEmail: {
    status: 400,
    code: 'validation_failed',
    message: 'Password recovery requires an email',
  },
  unsupportedResendType: {
    status: 400,
    code: 'validation_failed',
    message: 'Resend supports the type signup only',
  },

  // What this server does not offer.
  emailChangeDisabled: {
    status: 422,
    code: 'validation_failed',
    message: 'Changing the email address is not supported',
  },
  anonymousDisabled: {
    status: 422,
    code: 'anonymous_provider_disabled',
    message: 'Anonymous sign-ins are disabled',
  },
  phoneDisabled: {
    status: 422,
    code: 'phone_provider_disabled',
    message: 'Phone sign-ins are disabled',
  },
  otpDisabled: { status: 422, code: 'otp_disabled', message: 'Signups not allowed for otp' },
  providerDisabled: {
    status: 422,
    code: 'provider_disabled',
    message: 'Unsupported provider: provider is not enabled',
  },
  samlDisabled: { status: 422, code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' },
  mfaDisabled: {
    status: 422,
    code: 'mfa_totp_enroll_not_enabled',
    message: 'MFA enroll is disabled for TOTP',
  },
  manualLinkingDisabled: {
    status: 422,
    code: 'manual_linking_disabled',
    message: 'Manual linking is disabled',
  },
  /** An endpoint of GoTrue that this server does not have. */
  notSupported: { status: 404, code: 'not_supported', message: 'This server does not have this endpoint' },
  /** No endpoint of GoTrue either. */
  notFound: { status: 404, code: 'not_found', message: 'There is no such endpoint' },

  // Trouble.
  /** The database is away, or too many passwords wait: the client tries again by itself. */
  unavailable: {
    status: 503,
    code: 'service_unavailable',
    message: 'The service is busy or starting. Try again in a moment.',
  },
  /** A mistake of ours; the log has it under the request's id. */
  unexpected: { status: 500, code: 'unexpected_failure', message: 'Unexpected failure' },
} as const
