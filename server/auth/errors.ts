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
  /** The token is an API key: it names no user. */
  missingSub: { status: 403, code: 'bad_jwt', message: 'invalid claim: missing sub claim' },
  /** The token's session has ended, or its user is banned or gone. The client then signs out. */
  sessionNotFound: {
    status: 403,
    code: 'session_not_found',
    message: 'Session from session_id claim in JWT does not exist',
  },
  /** `app_metadata`, or an endpoint of the project's operator, without the service key. */
  notAdmin: { status: 403, code: 'not_admin', message: 'User not allowed' },
  /** The user has a second factor and has not shown it in this session. No client signs out for it. */
  insufficientAal: {
    status: 403,
    code: 'insufficient_aal',
    message: 'AAL2 session is required: verify a second factor first.',
  },

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
  /** A common password, or one made of the bank's name or the account's address. */
  commonPassword: {
    status: 422,
    code: 'weak_password',
    message: 'Password is known to be weak and easy to guess, please choose a different one.',
  },
  /** A new password without a proof of presence (docs/decisions/0021). */
  currentPasswordRequired: {
    status: 400,
    code: 'current_password_required',
    message: 'Current password required when setting new password.',
  },
  currentPasswordInvalid: {
    status: 400,
    code: 'current_password_invalid',
    message: 'Current password is not correct.',
  },
  /** A second factor is added or removed in a session that has not just shown the password, or a mailed link or code. */
  reauthenticationNeeded: {
    status: 400,
    code: 'reauthentication_needed',
    message: 'Show the current password or a nonce first: update the user with either.',
  },
  /** The six digits of `reauthenticate` are wrong, old, used, or were tried too often. */
  nonceInvalid: {
    status: 422,
    code: 'reauthentication_not_valid',
    message: 'Nonce has expired or is invalid',
  },
  samePassword: {
    status: 422,
    code: 'same_password',
    message: 'New password should be different from the old password.',
  },

  // Signing up and in.
  /** `AUTH_AUTOCONFIRM` only: otherwise the answer does not tell. */
  userAlreadyExists: { status: 422, code: 'user_already_exists', message: 'User already registered' },
  /** Another account has the address; sent to signed-in users and to the service key only. */
  emailExists: {
    status: 422,
    code: 'email_exists',
    message: 'A user with this email address has already been registered',
  },
  /** Sign-in without an address. */
  missingEmail: { status: 400, code: 'validation_failed', message: 'missing email or phone' },
  /** Unknown address, wrong password, no password: one answer. */
  invalidCredentials: { status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' },
  /** Answered to the right password only. */
  emailNotConfirmed: { status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' },
  /** Answered to the right password or a refresh token only. */
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
  /** An old token, which must have been copied: the session was ended. */
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
  /** A typed `token` needs the address it was sent to. */
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
    message: 'Resend supports the types signup and email_change',
  },
  /** A `code_challenge` that is none (RFC 7636), or a method other than `s256` and `plain`. */
  invalidCodeChallenge: {
    status: 400,
    code: 'validation_failed',
    message: 'code challenge has to be between 43 and 128 characters, with the method s256 or plain',
  },

  // PKCE.
  missingCodeOrVerifier: {
    status: 400,
    code: 'validation_failed',
    message: 'invalid request: both auth code and code verifier should be non-empty',
  },
  flowStateNotFound: {
    status: 404,
    code: 'flow_state_not_found',
    message: 'invalid flow state, no valid flow state found',
  },
  flowStateExpired: {
    status: 422,
    code: 'flow_state_expired',
    message: 'invalid flow state, flow state has expired',
  },
  badCodeVerifier: {
    status: 400,
    code: 'bad_code_verifier',
    message: 'code challenge does not match previously saved code verifier',
  },

  // Second factors.
  factorNotFound: { status: 404, code: 'mfa_factor_not_found', message: 'Factor not found' },
  tooManyFactors: {
    status: 422,
    code: 'too_many_enrolled_mfa_factors',
    message: 'Maximum number of enrolled factors reached, unenroll to continue',
  },
  factorNameTaken: {
    status: 422,
    code: 'mfa_factor_name_conflict',
    message: 'A factor with this friendly name already exists',
  },
  invalidFriendlyName: {
    status: 400,
    code: 'validation_failed',
    message: 'friendly_name must be text of at most 100 characters',
  },
  factorTypeUnknown: { status: 400, code: 'validation_failed', message: 'factor_type needs to be totp' },
  missingCode: { status: 400, code: 'validation_failed', message: 'Code needs to be non-empty' },
  /** Answered before, older than five minutes, or of another factor. */
  challengeExpired: {
    status: 422,
    code: 'mfa_challenge_expired',
    message: 'MFA challenge has expired, verify against another challenge or create a new challenge.',
  },
  /** Wrong, or right and used before. */
  totpCodeInvalid: { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' },
  recoveryCodeInvalid: {
    status: 422,
    code: 'mfa_verification_failed',
    message: 'Invalid recovery code entered',
  },
  /** Wrong codes in a row; `Retry-After` says how long. */
  factorLocked: {
    status: 429,
    code: 'over_request_rate_limit',
    message: 'Too many wrong codes. Try again later.',
  },
  recoveryCodesLocked: {
    status: 429,
    code: 'mfa_recovery_codes_locked',
    message: 'Too many wrong codes. Try again later.',
  },
  recoveryCodesExist: {
    status: 422,
    code: 'mfa_verified_factor_exists',
    message: 'Recovery codes exist already, regenerate them to replace them',
  },
  /** Codes stand in for an app that is not at hand; without an app there is nothing to stand in for. */
  recoveryCodesAlone: {
    status: 422,
    code: 'mfa_recovery_codes_sole_factor',
    message: 'Recovery codes cannot be the only verified factor. Please enroll another factor first.',
  },

  // For the holder of the service key.
  userNotFound: { status: 404, code: 'user_not_found', message: 'User not found' },
  userIdMalformed: { status: 404, code: 'validation_failed', message: 'user_id must be an UUID' },
  missingUserEmail: {
    status: 400,
    code: 'validation_failed',
    message: 'Cannot create a user without an email',
  },
  invalidBanDuration: {
    status: 400,
    code: 'validation_failed',
    message: 'invalid format for ban duration: use none, or hours, minutes and seconds as in 24h or 1h30m',
  },
  /** A field of upstream's that this server does not take: `phone`, another `role`, `password_hash`, soft deletion. */
  unsupportedUserField: {
    status: 422,
    code: 'validation_failed',
    message: 'phone, role, password_hash and should_soft_delete are not supported',
  },
  notBoolean: { status: 400, code: 'validation_failed', message: 'Flags must be true or false' },
  invalidPage: {
    status: 400,
    code: 'validation_failed',
    message: 'Bad Pagination Parameters: page and per_page are whole numbers from 1, per_page up to 1000',
  },
  unsupportedLinkType: {
    status: 400,
    code: 'validation_failed',
    message: 'Invalid email action link type requested',
  },
  userIdTaken: { status: 422, code: 'user_already_exists', message: 'A user with this id exists already' },
  /** A rule of the bank: it keeps an administrator who may sign in. */
  lastAdministrator: {
    status: 409,
    code: 'conflict',
    message: 'The bank needs at least one administrator',
  },

  // Asking too often (product's figures: server/throttle/limits.ts); each comes with `Retry-After`.
  /** Sign-in and sign-up. Never a refresh: the client would throw its session away. */
  tooManyRequests: {
    status: 429,
    code: 'over_request_rate_limit',
    message: 'Request rate limit reached',
  },
  /** A mail to one person again too soon, or too many from one network. Says when; the same for unknown addresses. */
  tooManyMails: {
    status: 429,
    code: 'over_email_send_rate_limit',
    message: 'For security purposes, you can only request this later.',
  },

  // What this server does not offer.
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
  providerDisabled: {
    status: 422,
    code: 'provider_disabled',
    message: 'Unsupported provider: provider is not enabled',
  },
  samlDisabled: { status: 422, code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' },
  phoneFactorDisabled: {
    status: 422,
    code: 'mfa_phone_enroll_not_enabled',
    message: 'MFA enroll is disabled for Phone',
  },
  webauthnFactorDisabled: {
    status: 422,
    code: 'mfa_webauthn_enroll_not_enabled',
    message: 'MFA enroll is disabled for WebAuthn',
  },
  web3Disabled: { status: 422, code: 'web3_provider_disabled', message: 'Web3 sign-ins are disabled' },
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
