/**
 * A separate script of the built page, which runs beside the main script and has a twentieth of its size. It requests
 * the login, or a returning customer's page and client, before the main script has arrived. It only checks whether the
 * client stored a session; the client decides later whether that session is still valid.
 */
import { login, preloadSignedIn } from '#app/entrances.ts'
import { fetchClientCode } from '#backend/client.ts'

if (Object.keys(window.localStorage).some((key) => /^sb-.+-auth-token$/.test(key))) {
  preloadSignedIn(window.location.pathname)
  fetchClientCode()
  // The first number formatter of a page takes a phone 80 ms, in any locale. Create it while the rest loads.
  setTimeout(() => new Intl.NumberFormat('en-US').format(0))
} else {
  void login.preload()
}
