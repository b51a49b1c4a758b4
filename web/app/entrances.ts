/** Declares the code that loads first: the login form, or the layout around every signed-in page. */
import { lazyComponent } from '#ui/lazy/lazy.ts'
import { openedPage, preloadPage } from './pages.ts'

/**
 * The signed-in layout. The layout's code waits briefly for the first page's code, so that layout and page appear
 * together.
 */
export const signedIn = lazyComponent(async () => {
  const { SignedIn } = await import('./signed-in.tsx')
  await openedPage(window.location.pathname).settled()
  return { SignedIn }
}, 'SignedIn')

/** The login form, in a separate chunk that a signed-in user does not load. */
export const login = lazyComponent(() => import('#people/login/login-page.tsx'), 'LoginPage')

/** Prefetches the code of the signed-in layout and of the page at this path, without waiting for a session. */
export function preloadSignedIn(pathname: string): void {
  void signedIn.preload()
  preloadPage(pathname)
}
