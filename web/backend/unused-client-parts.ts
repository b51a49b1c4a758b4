/**
 * Stands in the page for parts of the client that nothing here calls (see vite.config.ts). About a sixth of the client: file
 * storage, which the server does not have, sign-in by Ethereum, and the words for failures of the client's own passkey
 * ceremony (session/passkey.ts has another).
 */

/** File storage. */
export function StorageClient(): void {}

/** Exported again by the client; never thrown. */
export class StorageApiError extends Error {}

/** Sign-in by Ethereum. */
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
