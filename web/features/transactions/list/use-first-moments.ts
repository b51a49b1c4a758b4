import { useEffect, useState } from 'react'

const entranceMs = 1200

/** True while the rows make their entrance; rows that are scrolled into view later come without one. */
export function useFirstMoments(): boolean {
  const [isFirst, setIsFirst] = useState(true)
  useEffect(() => {
    const timer = window.setTimeout(() => setIsFirst(false), entranceMs)
    return () => window.clearTimeout(timer)
  }, [])
  return isFirst
}
