/** Every error of `/auth/v1` (GoTrue, `apierrors/errorcode.go`); the comment above each error says when it occurs. */
import type { WireErrorRow } from '#http/wire-error.ts'

const error = (status: number, code: string, message: string): WireErrorRow => ({ status, code, message })
const invalid = (message: string) => error(400, 'validation_failed', message)

/** The code that throws `badJwt`, `weakPassword` or `tooManyMails` completes the message. */
export const authErrors = {
  // The bearer token.
  /** A request to an endpoint for signed-in users contains no token. */
  noAuthorization: error(401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
  /** The token has an invalid signature or has expired. */
  badJwt: error(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature'),
  /** The token is an API key, which does not identify a user. */
  missingSub: error(403, 'bad_jwt', 'invalid claim: missing sub claim'),
  /** The token's session has ended, or its user is banned or deleted. After this error, the client signs out. */
  sessionNotFound: error(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  /** A request to an endpoint for operators, or a request that writes `app_metadata`, does not have the service key. */
  notAdmin: error(403, 'not_admin', 'User not allowed'),
  /** The session has not verified the user's second factor. Clients keep the session when they get this code. */
  insufficientAal: error(403, 'insufficient_aal', 'AAL2 session is required: verify a second factor first.'),

  // The request.
  /** The body is not a JSON object. */
  badJson: error(400, 'bad_json', 'Could not parse request body as JSON'),
  /** The body is larger than 8 KiB. */
  bodyTooLarge: error(413, 'request_entity_too_large', 'Request body is too large'),
  /** The requested page of the user list would be longer than `answerBytesMax`. */
  answerTooLong: invalid('The answer is too long: ask for fewer users a page'),
  /** Fastify refused the request before the endpoint ran. */
  badRequest: invalid('The request could not be read'),
  /** A field that must be text has another type. */
  notText: invalid('Text fields must be strings'),
  invalidEmail: invalid('Unable to validate email address: invalid format'),

  // Passwords.
  /** A sign-up request has no password. */
  missingPassword: invalid('Signup requires a valid password'),
  passwordTooLong: invalid('Password cannot be longer than 128 characters'),
  /** The password is shorter than `PASSWORD_MIN_LENGTH`; the message states this minimum. */
  /** With such a name, a customer could pretend to be the bank (docs/decisions/0083). */
  reservedName: error(422, 'validation_failed', 'This name is reserved by the bank'),
  weakPassword: error(422, 'weak_password', 'Password should be longer.'),
  /** The password is common, or is derived from the bank's name or the account's address. */
  commonPassword: error(
    422,
    'weak_password',
    'Password is known to be weak and easy to guess, please choose a different one.',
  ),
  /**
   * The session has no recent *proof of presence*. The password, a mailed code or an opened mailed link gives this
   * proof. Changing second factors requires this proof.
   */
  reauthenticationNeeded: error(
    400,
    'reauthentication_needed',
    'Show the current password or a nonce first: update the user with either.',
  ),

  // Signing up and in.
  /**
   * The address is taken. Only servers with `AUTH_AUTOCONFIRM` send this error; all other servers hide that an address
   * is taken.
   */
  userAlreadyExists: error(422, 'user_already_exists', 'User already registered'),
  /** A sign-in request has no address. */
  missingEmail: invalid('missing email or phone'),
  unsupportedGrant: error(400, 'invalid_credentials', 'unsupported_grant_type'),

  // Refreshing and signing out.
  /** The text does not have the form of a refresh token. */
  refreshTokenMalformed: invalid('Refresh token is not valid'),
  unknownLogoutScope: invalid('Unsupported logout scope: use global, local or others'),

  // Mailed links.
  /** The link was used, has expired, was replaced by a newer one, or was never sent. */
  linkExpired: error(403, 'otp_expired', 'Email link is invalid or has expired'),
  /** Same as `linkExpired`, but for a token that was sent together with its address. */
  tokenExpired: error(403, 'otp_expired', 'Token has expired or is invalid'),
  missingVerificationType: invalid('Verify requires a verification type'),
  unsupportedVerificationType: invalid('Unsupported verification type'),
  missingToken: invalid('Verify requires a token or a token hash'),
  /** The request has a `token` but not the address to which the token was mailed. */
  missingTokenOwner: invalid('Verify requires an email with the token'),
  recoveryNeedsEmail: invalid('Password recovery requires an email'),
  unsupportedResendType: invalid('Resend supports the types signup and email_change'),
  /** The `code_challenge` is malformed (RFC 7636), or its method is neither `s256` nor `plain`. */
  invalidCodeChallenge: invalid(
    'code challenge has to be between 43 and 128 characters, with the method s256 or plain',
  ),
  missingCodeOrVerifier: invalid('invalid request: both auth code and code verifier should be non-empty'),

  // Second factors.
  invalidFriendlyName: invalid('friendly_name must be one visible line of at most 100 characters'),
  factorTypeUnknown: invalid('factor_type needs to be totp or webauthn'),
  missingCode: invalid('Code needs to be non-empty'),
  webauthnTypeUnknown: invalid('WebAuthn type must be create or request'),
  invalidCredentialResponse: invalid('Invalid credential_response'),
  /** The code is wrong, or has already been used. */
  totpCodeInvalid: error(422, 'mfa_verification_failed', 'Invalid TOTP code entered'),
  /**
   * The passkey belongs to another account, its response is for another site or challenge, or its signature counter has
   * not increased.
   */
  passkeyInvalid: error(422, 'mfa_verification_failed', 'Invalid WebAuthn response'),
  recoveryCodeInvalid: error(422, 'mfa_verification_failed', 'Invalid recovery code entered'),
  /** Several consecutive wrong codes; `Retry-After` says how long to wait. */
  factorLocked: error(429, 'over_request_rate_limit', 'Too many wrong codes. Try again later.'),
  recoveryCodesLocked: error(429, 'mfa_recovery_codes_locked', 'Too many wrong codes. Try again later.'),
  recoveryCodesExist: error(
    422,
    'mfa_verified_factor_exists',
    'Recovery codes exist already, regenerate them to replace them',
  ),
  /** The user has no app and no passkey. Recovery codes are only a backup for an app or a passkey. */
  recoveryCodesAlone: error(
    422,
    'mfa_recovery_codes_sole_factor',
    'Recovery codes cannot be the only verified factor. Please enroll another factor first.',
  ),

  // Errors that only the holder of the service key can get.
  userIdMalformed: error(404, 'validation_failed', 'user_id must be an UUID'),
  missingUserEmail: invalid('Cannot create a user without an email'),
  invalidBanDuration: invalid(
    'invalid format for ban duration: use none, or hours, minutes and seconds as in 24h or 1h30m',
  ),
  /**
   * An upstream field that this server does not accept: `phone`, a `role` other than `authenticated`, `password_hash`
   * or soft deletion.
   */
  unsupportedUserField: error(
    422,
    'validation_failed',
    'phone, role, password_hash and should_soft_delete are not supported',
  ),
  notBoolean: invalid('Flags must be true or false'),
  invalidPage: invalid(
    'Bad Pagination Parameters: page and per_page are whole numbers from 1, per_page up to 1000',
  ),
  unsupportedLinkType: invalid('Invalid email action link type requested'),
  userIdTaken: error(422, 'user_already_exists', 'A user with this id exists already'),
  /** The change would leave the bank without an administrator who can sign in. */
  lastAdministrator: error(409, 'conflict', 'The bank needs at least one administrator'),

  // Rate limits (server/throttle/limits.ts has the figures); each answer has `Retry-After`.
  /**
   * Too many sign-ins or sign-ups. A refresh never gets this error, because the client would then discard its session.
   */
  tooManyRequests: error(429, 'over_request_rate_limit', 'Request rate limit reached'),
  /** Too many mails to one address or from one network. The answer says when to retry, even for an unknown address. */
  tooManyMails: error(
    429,
    'over_email_send_rate_limit',
    'For security purposes, you can only request this later.',
  ),

  // Features that this server does not offer.
  anonymousDisabled: error(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
  phoneDisabled: error(422, 'phone_provider_disabled', 'Phone sign-ins are disabled'),
  providerDisabled: error(422, 'provider_disabled', 'Unsupported provider: provider is not enabled'),
  samlDisabled: error(422, 'saml_provider_disabled', 'SAML 2.0 is disabled'),
  phoneFactorDisabled: error(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone'),
  web3Disabled: error(422, 'web3_provider_disabled', 'Web3 sign-ins are disabled'),
  manualLinkingDisabled: error(422, 'manual_linking_disabled', 'Manual linking is disabled'),
  /** A GoTrue endpoint that this server does not have. */
  notSupported: error(404, 'not_supported', 'This server does not have this endpoint'),
  /** An endpoint that neither this server nor GoTrue has. */
  notFound: error(404, 'not_found', 'There is no such endpoint'),

  // Failures of the server.
  /** The database is unavailable, or too many passwords wait to be hashed. The client retries by itself. */
  unavailable: error(503, 'service_unavailable', 'The service is busy or starting. Try again in a moment.'),
  /** PostgreSQL's disk is full. The database can still be read, but an immediate retry of the write would fail too. */
  noRoom: error(503, 'service_unavailable', 'The service cannot save anything now. Try again later.'),
  /** An internal error; the log contains the details under the request's id. */
  unexpected: error(500, 'unexpected_failure', 'Unexpected failure'),
}

/** Errors for outcomes that `server/people` returns. Each key is the outcome, which the log states as the reason. */
export const refusals = {
  // Signing in.
  /** An unknown address, a wrong password and an account without a password get this same answer. */
  'wrong credentials': error(400, 'invalid_credentials', 'Invalid login credentials'),
  /** The address is not confirmed. Only a request with the right password gets this answer. */
  'not confirmed': error(400, 'email_not_confirmed', 'Email not confirmed'),
  /** The user is banned. Only a request with the right password or a valid refresh token gets this answer. */
  banned: error(400, 'user_banned', 'User is banned'),

  // Refreshing a session.
  /** The token belongs to an ended session or was signed with another key. */
  not_found: error(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
  /** The session has reached its maximum age. */
  expired: error(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),
  /** An old refresh token was used again. The server ended the session, because the token was probably copied. */
  already_used: error(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),

  // Exchanging a PKCE code.
  'unknown code': error(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  'expired code': error(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  'wrong verifier': error(
    400,
    'bad_code_verifier',
    'code challenge does not match previously saved code verifier',
  ),

  // Changing the own user.
  /** `data` is not an object, is larger than 4 KiB, is nested too deep, or holds text that cannot be stored. */
  'too much data': invalid('data must be a JSON object of at most 4096 bytes'),
  /** A new password was sent without the current password, a recovery link or a mailed code (docs/decisions/0021). */
  'proof needed': error(
    400,
    'current_password_required',
    'Current password required when setting new password.',
  ),
  'wrong current password': error(400, 'current_password_invalid', 'Current password is not correct.'),
  /** The six-digit code from `reauthenticate` is wrong, has expired, was already used, or was tried too often. */
  'wrong nonce': error(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'),
  'same password': error(422, 'same_password', 'New password should be different from the old password.'),

  // Second factors.
  'unknown factor': error(404, 'mfa_factor_not_found', 'Factor not found'),
  'too many factors': error(
    422,
    'too_many_enrolled_mfa_factors',
    'Maximum number of enrolled factors reached, unenroll to continue',
  ),
  'factor name taken': error(
    422,
    'mfa_factor_name_conflict',
    'A factor with this friendly name already exists',
  ),
  /** The challenge was answered before, belongs to another factor, or does not exist. */
  'unknown challenge': error(
    422,
    'mfa_factor_not_found',
    'MFA factor with the provided challenge ID not found',
  ),
  /** The challenge is older than five minutes or belongs to another session. */
  'expired challenge': error(
    422,
    'mfa_challenge_expired',
    'MFA challenge has expired, verify against another challenge or create a new challenge.',
  ),

  // Links that an operator's program requests.
  'unknown user': error(404, 'user_not_found', 'User not found'),
  /** Another account already uses the address. Only signed-in users and the service key get this code. */
  'email taken': error(422, 'email_exists', 'A user with this email address has already been registered'),
}
