/**
 * Empty replacements for parts of supabase-js that the page never calls (see vite.config.ts), about a sixth of the
 * client. They are file storage, which the server does not have, sign-in with Ethereum, and the error texts of the
 * client's own passkey ceremony (session/passkey.ts has another).
 */

/** File storage. */
export function StorageClient(): void {}

/** Exported again by supabase-js, and never thrown. */
export class StorageApiError extends Error {}

/** Sign-in with Ethereum. */
export function getAddress(): void {}
export function fromHex(): void {}
export function toHex(): void {}
export function createSiweMessage(): void {}

/** The client's own passkey ceremony. */
export class WebAuthnError extends Error {}
export class WebAuthnUnknownError extends WebAuthnError {}
export function isWebAuthnError(): void {}
export function identifyRegistrationError(): void {}
export function identifyAuthenticationError(): void {}
