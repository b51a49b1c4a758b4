/**
 * Stands in the page for the client's file storage (see vite.config.ts). The product stores no files and its server
 * has no such surface; the real one is an eighth of the client and would never be called.
 */
export function StorageClient(): void {}

/** Exported again by the client; never thrown. */
export class StorageApiError extends Error {}
