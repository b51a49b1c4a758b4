/** The first code of a start: the login, or the layout around a signed-in page. */
import { lazyComponent } from '#lazy/lazy.ts'
import { openedPage, preloadPage } from './pages.ts'

/** The signed-in layout. Waits a short time for the code of the first page, so that both appear together. */
export const signedIn = lazyComponent(async () => {
  const { SignedIn } = await import('./signed-in.tsx')
  await openedPage(window.location.pathname).settled()
  return { SignedIn }
}, 'SignedIn')

/** The login, a separate chunk that a signed-in user does not load. */
export const login = lazyComponent(() => import('#features/auth/login-page.tsx'), 'LoginPage')

/** Fetches the signed-in layout and page before there is a session. */
export function preloadSignedIn(pathname: string): void {
  void signedIn.preload()
  preloadPage(pathname)
}
