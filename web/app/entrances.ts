/** The first chunks of a start: the login, or the layout around a signed-in page. */
import { chunk, forgetFailedChunks } from './chunk.ts'
import { openedPage, preloadPage } from './pages.ts'

/** The signed-in layout. Waits a short time for the chunk of the first page, so that both appear together. */
export const signedIn = chunk(async () => {
  const { SignedIn } = await import('./signed-in.tsx')
  // After a failure, opening the page fetches it again.
  await openedPage(window.location.pathname).loadOrLate().catch(forgetFailedChunks)
  return SignedIn
})

/** The login, a separate chunk that a signed-in user does not load. */
export const login = chunk(async () => (await import('#features/auth/login-page.tsx')).LoginPage)

export function preloadLogin(): void {
  login.load().catch(forgetFailedChunks)
}

/** Fetches the signed-in layout and page before there is a session. */
export function preloadSignedIn(pathname: string): void {
  signedIn.load().catch(forgetFailedChunks)
  preloadPage(pathname)
}
