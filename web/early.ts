/**
 * A separate script of the built page, a twentieth of the size of the main script. Before the main script arrives, it
 * requests the login, or a returning customer's page and client. It only checks whether a session is stored. The client
 * decides later whether that session is still valid.
 */
import { login, preloadSignedIn } from '#app/entrances.ts'
import { fetchClientCode } from '#backend/client.ts'

if (Object.keys(window.localStorage).some((key) => /^sb-.+-auth-token$/.test(key))) {
  preloadSignedIn(window.location.pathname)
  fetchClientCode()
  // On a phone the first number formatter of a page takes 80 ms, in any locale. It is created while other code loads.
  setTimeout(() => new Intl.NumberFormat('en-US').format(0))
} else {
  void login.preload()
}
