/**
 * A script of its own in the built page. It runs beside the page's entrance, which is twenty times its size. It
 * requests the login, or a returning customer's page and client, before the entrance has arrived. It only looks whether
 * the client has kept a session; whether that session still lives is the client's to say.
 */
import { preloadLogin, preloadSignedIn } from '#app/entrances.ts'
import { fetchClientCode } from '#backend/client.ts'

if (Object.keys(window.localStorage).some((key) => /^sb-.+-auth-token$/.test(key))) {
  preloadSignedIn(window.location.pathname)
  fetchClientCode()
  // The first formatter of a page costs a phone eighty milliseconds, whichever it is: while the rest is on its way.
  setTimeout(() => new Intl.NumberFormat('en-US').format(0))
} else {
  preloadLogin()
}
