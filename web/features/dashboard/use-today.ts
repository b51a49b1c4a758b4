import { useEffect, useState } from 'react'
import { bogotaDay } from '#format/dates.ts'

/** How often the page looks whether a new day has begun. */
const lookIntervalMs = 30_000

/** A moment of the current day; a new one once midnight has passed in Bogotá, while nothing else is drawn again. */
export function useToday(): Date {
  const [today, setToday] = useState(() => new Date())
  useEffect(() => {
    const look = () => {
      const now = new Date()
      setToday((shown) => (bogotaDay(shown) === bogotaDay(now) ? shown : now))
    }
    const timer = window.setInterval(look, lookIntervalMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return today
}
