/** Code that the page loads first: the login, or the layout around a signed-in page. */
import { lazyComponent } from '#lazy/lazy.ts'
import { openedPage, preloadPage } from './pages.ts'

/** The signed-in layout. It waits briefly for the code of the first page, so that both appear together. */
export const signedIn = lazyComponent(async () => {
  const { SignedIn } = await import('./signed-in.tsx')
  await openedPage(window.location.pathname).settled()
  return { SignedIn }
}, 'SignedIn')

/** The login, a separate chunk that a signed-in user does not load. */
export const login = lazyComponent(() => import('#features/auth/login-page.tsx'), 'LoginPage')

/** Prefetches the code of the signed-in layout and of the page, without waiting for a session. */
export function preloadSignedIn(pathname: string): void {
  void signedIn.preload()
  preloadPage(pathname)
}
