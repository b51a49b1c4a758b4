type ScriptPolicies = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string }
}

/**
 * If trusted types are enforced (see the content security policy in server/page), browsers refuse to start a worker
 * from a plain string.
 */
const policies = (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes
const policy = policies?.createPolicy('finanzas-scripts', { createScriptURL: ownAddress })

/**
 * Returns the URL of one of the site's own scripts for use in a worker. In browsers that support trusted types, the URL
 * is a trusted type.
 */
export function ownScript(address: string): string {
  return policy?.createScriptURL(address) ?? ownAddress(address)
}

function ownAddress(address: string): string {
  const { origin } = new URL(address, window.location.href)
  if (origin !== window.location.origin) throw new Error(`${address} is not one of the page's own scripts.`)
  return address
}
