import { useState } from 'react'

/** Holds the text of a field while the user types. A new `value` replaces the typed text. */
export function useTyped(value: string) {
  const [typed, setTyped] = useState(value)
  const [kept, setKept] = useState(value)
  if (kept !== value) {
    setKept(value)
    setTyped(value)
  }
  return [typed, setTyped] as const
}
