// What package-lock.json says, and which packages one workspace needs to run.

/** A package as the lockfile describes it. */
export type LockedPackage = {
  version?: string
  integrity?: string
  resolved?: string
  /** A workspace, linked into node_modules. */
  link?: boolean
  optional?: boolean
  /** The platforms that a binary is for. */
  os?: string[]
  cpu?: string[]
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** The packages by their place, such as `node_modules/pg` or `server`. */
export type Lockfile = { packages: Record<string, LockedPackage> }

/**
 * The places of all that a workspace needs at run time, found as Node finds them: in the nearest
 * node_modules upwards. Optional packages, also for other platforms, are among them.
 */
export function runtimePackages({ packages }: Lockfile, workspace: string): string[] {
  const found = new Set<string>()
  const waiting = [workspace]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { dependencies, optionalDependencies } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const dependency = placeOf(name, place, packages)
      if (dependency === undefined || found.has(dependency)) continue
      found.add(dependency)
      waiting.push(dependency)
    }
  }
  return [...found].sort()
}

function placeOf(name: string, from: string, packages: Lockfile['packages']): string | undefined {
  const folders = from.split('/')
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const place = [...folders.slice(0, depth), 'node_modules', name].join('/')
    if (packages[place] !== undefined) return place
  }
  return undefined
}
