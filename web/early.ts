/**
 * A separate script in the built page, about a twentieth of the main script's size. Before the main script arrives,
 * this small script requests the code that the page will need. If a session is stored, it requests the code of the page
 * and of the client. Otherwise it requests the code of the login form. The client later decides whether the stored
 * session is still valid.
 */
import { login, preloadSignedIn } from '#app/entrances.ts'
import { fetchClientCode } from '#api/client.ts'
import { storedKeys } from '#storage/device-storage.ts'

if (storedKeys().some((key) => /^sb-.+-auth-token$/.test(key))) {
  preloadSignedIn(window.location.pathname)
  fetchClientCode()
  // On a phone, creating the first number formatter on a page takes 80 ms in any locale. The page therefore creates its
  // first formatter while other code is loading.
  setTimeout(() => new Intl.NumberFormat('en-US').format(0))
} else {
  void login.preload()
}
