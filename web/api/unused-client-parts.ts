/**
 * Empty replacements for parts of supabase-js that the page never calls (see vite.config.ts). These parts make up about
 * a fifth of the client: file storage, sign-in with Ethereum, and the client's own passkey ceremony with its error texts.
 * The server does not offer file storage, and session/passkey.ts implements the passkey ceremony.
 */

/** File storage. */
export function StorageClient(): void {}

/** supabase-js re-exports this error but never throws it. */
export class StorageApiError extends Error {}

/** Sign-in with Ethereum. */
export function getAddress(): void {}
export function fromHex(): void {}
export function toHex(): void {}
export function createSiweMessage(): void {}

/** The formats of passkeys, which session/passkey.ts does use. */
export {
  deserializeCredentialCreationOptions,
  deserializeCredentialRequestOptions,
  serializeCredentialCreationResponse,
  serializeCredentialRequestResponse,
} from '@supabase/auth-js/dist/module/lib/webauthn.js'

/** The client's own passkey ceremony. */
export function WebAuthnApi(): void {}
export const webAuthnAbortService = {}
export function browserSupportsWebAuthn(): void {}
export function createCredential(): void {}
export function getCredential(): void {}
export class WebAuthnError extends Error {}
export class WebAuthnUnknownError extends WebAuthnError {}
export function isWebAuthnError(): void {}
export function identifyRegistrationError(): void {}
export function identifyAuthenticationError(): void {}
