/**
 * Stands in the page for the client's file storage (see vite.config.ts). The product stores no files and its server
 * has no such surface; the real one is an eighth of the client, which everybody would wait for and nobody call.
 */
export function StorageClient(): void {}

/** Asked about by the client's own exports; nothing ever throws it. */
export class StorageApiError extends Error {}
