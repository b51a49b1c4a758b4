import { useEffect, useState } from 'react'

/** Delay between the last typed character and the search. */
const searchDelayMs = 250

/** Returns a typed text once the user has stopped typing. */
export function useDelayed(value: string): string {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setDelayed(value), searchDelayMs)
    return () => window.clearTimeout(timer)
  }, [value])
  return delayed
}

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
