/** First parts of a start: the login, or the layout around a page. */
import { chunk, forgetFailedChunks } from './chunk.ts'
import { openedPage, preloadPage } from './pages.ts'

/** The signed-in layout. Resolves together with the first page's chunk if that is almost loaded. */
export const signedIn = chunk(async () => {
  const { SignedIn } = await import('./signed-in.tsx')
  // Opening the page fetches it again.
  await openedPage(window.location.pathname).loadOrLate().catch(forgetFailedChunks)
  return SignedIn
})

/** The login, a piece of its own: a signed-in page does not load it. */
export const login = chunk(async () => (await import('#features/auth/login-page.tsx')).LoginPage)

export function preloadLogin(): void {
  login.load().catch(forgetFailedChunks)
}

/** Fetches what is shown with a session, before there is one. */
export function preloadSignedIn(pathname: string): void {
  signedIn.load().catch(forgetFailedChunks)
  preloadPage(pathname)
}
