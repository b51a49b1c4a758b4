type ScriptPolicies = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string }
}

/** Browsers that know trusted types start no thread or worker from a mere text (the policy in server/page). */
const policies = (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes
const policy = policies?.createPolicy('finanzas-scripts', { createScriptURL: ownAddress })

/** The address of a script of the page's own, as a thread or a worker may be started from it. */
export function ownScript(address: string): string {
  return policy?.createScriptURL(address) ?? ownAddress(address)
}

function ownAddress(address: string): string {
  const { origin } = new URL(address, window.location.href)
  if (origin !== window.location.origin) throw new Error(`${address} is no script of the page's own.`)
  return address
}
