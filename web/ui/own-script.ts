type ScriptPolicies = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string }
}

/** With trusted types, browsers refuse to start a worker from a plain string (the policy in server/page). */
const policies = (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes
const policy = policies?.createPolicy('finanzas-scripts', { createScriptURL: ownAddress })

/** Returns the address of one of the page's own scripts for a worker, as a trusted type where browsers have it. */
export function ownScript(address: string): string {
  return policy?.createScriptURL(address) ?? ownAddress(address)
}

function ownAddress(address: string): string {
  const { origin } = new URL(address, window.location.href)
  if (origin !== window.location.origin) throw new Error(`${address} is no script of the page's own.`)
  return address
}
