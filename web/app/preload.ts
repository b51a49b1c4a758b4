import { loadPage } from './pages.ts'

/** The part of the page behind the login. */
export function loadSignedIn() {
  return import('./signed-in.tsx')
}

/** Starts what a returning customer will see next, while the client is still reading the session. */
export function preloadSignedIn(pathname: string): void {
  void loadSignedIn()
  void loadPage(pathname)
}
