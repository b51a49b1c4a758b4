/**
 * Passkey options, and the data stored for each passkey (WebAuthn, level 3). The WebAuthn library is loaded on first
 * use, so that a bank without passkeys does not spend 25 MB of memory on it (docs/decisions/0063).
 */
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { type SqlStatement, sql } from '#database/database.ts'

/** The site for which passkeys are created. The values come from the settings, never from a request. */
export type RelyingParty = { readonly id: string; readonly name: string; readonly origin: string }

export function relyingPartyOf(site: { readonly siteUrl: string; readonly brandName: string }): RelyingParty {
  const { hostname, origin } = new URL(site.siteUrl)
  return { id: hostname, name: site.brandName, origin }
}

/**
 * A passkey's public key, in the format of upstream's column `web_authn_credential`. Bytes are encoded in base64url.
 */
export type Credential = {
  readonly id: string
  /** The key in COSE format (RFC 9053). */
  readonly publicKey: string
  readonly transport: readonly AuthenticatorTransport[]
  readonly authenticator: { readonly signCount: number }
}

/** A confirmed passkey. */
export type Passkey = { readonly factorId: string; readonly credential: Credential }

export function selectPasskeys(userId: string): SqlStatement<Passkey> {
  return sql`
    select f.id as "factorId", f.web_authn_credential as credential
    from auth.mfa_factors f
    where f.user_id = ${userId} and f.factor_type = 'webauthn' and f.status = 'verified'
    order by f.created_at`
}

/** Ed25519, ES256 and RS256, which are the algorithms that common authenticators support. */
const algorithms = [-8, -7, -257]
/**
 * Asks the browser to prefer user verification, as upstream does by default. User verification is not required, because
 * the passkey is a second factor in addition to the password.
 */
const userVerification = 'preferred'
const timeoutMs = 300_000

type Question = { readonly bytes: Uint8Array; readonly passkeys: readonly Passkey[] }

/** Returns the options with which the browser creates a passkey. */
export async function creationOptions(
  site: RelyingParty,
  {
    bytes,
    passkeys,
    user,
  }: Question & {
    readonly user: { readonly id: string; readonly email: string; readonly fullName: string | null }
  },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: site.name,
    rpID: site.id,
    userName: user.email,
    userDisplayName: user.fullName ?? user.email,
    userID: new TextEncoder().encode(user.id),
    challenge: Uint8Array.from(bytes),
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification },
    supportedAlgorithmIDs: algorithms,
  })
}

/** Returns the options with which the browser selects an existing passkey. */
export async function requestOptions(
  site: RelyingParty,
  { bytes, passkeys }: Question,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: Uint8Array.from(bytes),
    timeout: timeoutMs,
    allowCredentials: passkeys.map(descriptorOf),
    userVerification,
  })
}

/**
 * Returns the data to store for a new passkey. Throws unless a browser on the bank's own site created the passkey for
 * this challenge.
 */
export async function readNewPasskey(
  site: RelyingParty,
  { challenge, response }: { readonly challenge: string; readonly response: unknown },
): Promise<{ readonly credential: Credential; readonly aaguid: string }> {
  const { verifyRegistrationResponse } = await library()
  const made = response as RegistrationResponseJSON
  await requireNoCertificate(made)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: made,
    ...expected(site, challenge),
    supportedAlgorithmIDs: algorithms,
  })
  if (!verified) throw new Error('The attestation is not valid.')
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  if (id.length > credentialIdLengthMax) throw new Error('The id is too long.')
  return {
    credential: {
      id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      transport: knownTransports.filter((transport) => transports.includes(transport)),
      authenticator: { signCount: counter },
    },
    aaguid: registrationInfo.aaguid,
  }
}

/**
 * Returns the passkey that produced the response, and the passkey's new counter. Throws if none of the given passkeys
 * produced the response.
 */
export async function readShownPasskey(
  site: RelyingParty,
  shown: {
    readonly challenge: string
    readonly response: unknown
    readonly passkeys: readonly Passkey[]
  },
): Promise<{ readonly factorId: string; readonly signCount: number }> {
  const { verifyAuthenticationResponse } = await library()
  const response = shown.response as AuthenticationResponseJSON
  const passkey = shown.passkeys.find(({ credential }) => credential.id === response.id)
  if (passkey === undefined) throw new Error('The passkey does not belong to this account.')
  const { id, publicKey, authenticator } = passkey.credential
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    ...expected(site, shown.challenge),
    credential: {
      id,
      publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
      counter: authenticator.signCount,
    },
  })
  if (!verified) throw new Error('The signature is not valid.')
  return { factorId: passkey.factorId, signCount: authenticationInfo.newCounter }
}

/** Length of the longest credential id in base64url. WebAuthn allows at most 1,023 bytes (7.1, step 25). */
const credentialIdLengthMax = 1364

const knownTransports = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const

function expected(site: RelyingParty, challenge: string) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: false,
  }
}

function descriptorOf({ credential }: Passkey) {
  return { id: credential.id, transports: [...credential.transport] }
}

/**
 * Refuses attestations with certificates, because the library would fetch revocation lists from the URLs in the
 * certificates. The options for the browser do not request attestations with certificates.
 */
async function requireNoCertificate({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  const isByItself = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (format !== 'none' && !isByItself)
    throw new Error(`An attestation in the format ${format} was not requested.`)
}

function library() {
  return import('@simplewebauthn/server')
}
