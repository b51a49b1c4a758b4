import { useRef, useState } from 'react'

/**
 * Runs one job at a time: a second one does not begin while the first is running. `begin` returns `null` if there is
 * nothing to do. `isBusy` is true while a job runs.
 */
export function useTask(onFailure: (error: unknown) => void, isBusyAtFirst = false) {
  const [isBusy, setIsBusy] = useState(isBusyAtFirst)
  // State changes only at the next render, which is too late for the second press of a double click.
  const isUnderWay = useRef(false)
  const attempt = async (begin: () => Promise<unknown> | null) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    try {
      const job = begin()
      if (job === null) return
      setIsBusy(true)
      await job
    } catch (error) {
      onFailure(error)
    } finally {
      isUnderWay.current = false
      setIsBusy(false)
    }
  }
  return { isBusy, run: (begin: () => Promise<unknown> | null) => void attempt(begin) }
}
