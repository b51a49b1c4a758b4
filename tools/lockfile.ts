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
    for (const dependency of dependenciesOf({ packages }, place)) {
      if (found.has(dependency)) continue
      found.add(dependency)
      waiting.push(dependency)
    }
  }
  return [...found].sort()
}

/** The places of what one package asks for at run time, as far as the lockfile has it. */
function dependenciesOf({ packages }: Lockfile, place: string): string[] {
  const { dependencies, optionalDependencies } = packages[place] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => placeOf(name, place, packages))
    .filter((dependency) => dependency !== undefined)
}

function placeOf(name: string, from: string, packages: Lockfile['packages']): string | undefined {
  const folders = from.split('/')
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const place = [...folders.slice(0, depth), 'node_modules', name].join('/')
    if (packages[place] !== undefined) return place
  }
  return undefined
}
