import { useRef, useState } from 'react'

/**
 * Runs one task at a time: a second task does not start while the first is running. `begin` starts the task, or returns
 * `null` if nothing has to be done. `isBusy` is true while a task is running.
 */
export function useTask(onFailure: (error: unknown) => void, isBusyAtFirst = false) {
  const [isBusy, setIsBusy] = useState(isBusyAtFirst)
  // A ref is used because React state changes only at the next render, which is too late for the second click of a
  // double click.
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
