/**
 * An empty replacement for the mutations of the query library, which the page never uses (see vite.config.ts). Every
 * write goes through changes.ts instead.
 */

/** The client of the query library makes this cache, clears it, and asks it to continue after a pause. */
export class MutationCache {
  clear(): void {}
  resumePausedMutations(): Promise<void> {
    return Promise.resolve()
  }
}
