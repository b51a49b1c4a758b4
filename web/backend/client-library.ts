/** Fetches the client's library, at the first call. On its own, so that it can be asked for before the page has started. */
export async function loadCreateClient() {
  const { createClient } = await import('@supabase/supabase-js')
  return createClient
}
