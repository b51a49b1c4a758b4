import { useRef, useState } from 'react'

/** One job at a time: a second one while the first is under way is not begun. `isBusy` says that one is. */
export function useTask(onFailure: (error: unknown) => void, isBusyAtFirst = false) {
  const [isBusy, setIsBusy] = useState(isBusyAtFirst)
  // State arrives with the next render, too late for the second half of a double click.
  const isUnderWay = useRef(false)
  const attempt = async (job: () => Promise<unknown>) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsBusy(true)
    try {
      await job()
    } catch (error) {
      onFailure(error)
    } finally {
      isUnderWay.current = false
      setIsBusy(false)
    }
  }
  return { isBusy, run: (job: () => Promise<unknown>) => void attempt(job) }
}
