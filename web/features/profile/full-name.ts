export type NameParts = { firstName: string; lastName: string }

/** Splits at the first space: the first word is the first name, the rest is the last name (spec §2). */
export function splitFullName(fullName: string): NameParts {
  const [firstName = '', ...rest] = fullName.split(' ')
  return { firstName, lastName: rest.join(' ') }
}

export function joinFullName({ firstName, lastName }: NameParts): string {
  return `${firstName} ${lastName}`
}
