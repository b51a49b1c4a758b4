/**
 * Finds environment variables whose names resemble settings, because the server would silently ignore these variables.
 */
import { settingNames } from './settings.ts'

/**
 * Minimum length of the settings' names that are compared. Shorter names resemble variables of other programs, for
 * example PORTS, POST or PGHOST.
 */
const nameLengthMin = 8
/**
 * Minimum length of a name in which two typing mistakes are recognized. A shorter name with two mistakes would be
 * ambiguous.
 */
const longNameLengthMin = 10
const mistakesMax = 2
const known: ReadonlySet<string> = new Set(settingNames)

/** Returns one message to the operator about each misspelled setting. */
export function warningsOfMisspelledSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return misspelledSettings(env).map(
    ({ name, meant }) => `${name} no es un ajuste. ¿Quisiste decir ${meant}?`,
  )
}

/** Returns the unknown names that resemble a setting, each with the most similar setting. */
export function misspelledSettings(
  env: Readonly<Record<string, string | undefined>>,
): { readonly name: string; readonly meant: string }[] {
  const targets = settingNames.filter(({ length }) => length >= nameLengthMin)
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || !/^[A-Z][A-Z0-9_]*$/.test(name)) return []
    const [nearest] = targets
      // Skips names whose length differs too much, which cheaply excludes most variables.
      .filter((meant) => Math.abs(meant.length - name.length) <= mistakesMax)
      .map((meant) => ({ name, meant, distance: distanceBetween(name, meant) }))
      .filter(({ meant, distance }) => distance <= (meant.length < longNameLengthMin ? 1 : mistakesMax))
      .toSorted((one, other) => one.distance - other.distance)
    return nearest === undefined ? [] : [{ name, meant: nearest.meant }]
  })
}

/**
 * Counts the letters that must be inserted, removed, replaced or swapped with a neighbour (Damerau–Levenshtein
 * distance).
 */
function distanceBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...one].entries()) {
    const row = [i + 1]
    for (const [j, letterOther] of [...other].entries()) {
      const isSwap = i > 0 && j > 0 && letter === other[j - 1] && one[i - 1] === letterOther
      row.push(
        Math.min(
          (last[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
          (last[j] ?? 0) + (letter === letterOther ? 0 : 1),
          isSwap ? (beforeLast[j - 1] ?? 0) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = row
  }
  return last[other.length] ?? 0
}
