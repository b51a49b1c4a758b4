/** Finds the names of the audit's actions in SQL: the first argument of a call that adds an entry, or the local `act`. */
const namings = [
  /(?:record_audit|record_listing|audit_batch|audit_request)\(\s*(case[^,]*end|'[a-z_]+')/g,
  /\bact constant text := (case[^;]*end);/g,
]

/** Returns the names, in the order in which the text contains them. A name can occur several times. */
export function actionsIn(sql: string): string[] {
  return namings.flatMap((naming) =>
    [...sql.matchAll(naming)].flatMap(([, part = '']) => part.match(/(?<=')[a-z]+_[a-z_]+(?=')/g) ?? []),
  )
}
