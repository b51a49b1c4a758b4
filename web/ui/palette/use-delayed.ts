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
