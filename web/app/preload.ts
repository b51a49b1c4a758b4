import { chunk, forgetFailedChunks } from './chunk.tsx'
import { preloadPage } from './pages.ts'

/** The part of the page behind the login. */
export const signedIn = chunk(async () => (await import('./signed-in.tsx')).SignedIn)

/** The login, a piece of its own: who is signed in does not carry it. */
export const login = chunk(async () => (await import('#features/auth/login-page.tsx')).LoginPage)

/** Starts what somebody without a session will see. */
export function preloadLogin(): void {
  login.load().catch(forgetFailedChunks)
}

/** Starts what a returning customer will see next, while the client is still reading the session. */
export function preloadSignedIn(pathname: string): void {
  signedIn.load().catch(forgetFailedChunks)
  preloadPage(pathname)
}
