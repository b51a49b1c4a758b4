import { Button } from '#ui/button.tsx'
import { appCopy } from './copy.ts'

/** What is left to say when the page cannot continue. */
export function Failure() {
  return (
    <div
      role="alert"
      className="mx-auto grid min-h-[60svh] max-w-sm place-content-center justify-items-center gap-4 px-5 text-center"
    >
      <h1 className="text-xl font-semibold">{appCopy.brokenTitle}</h1>
      <p className="text-muted">{appCopy.brokenText}</p>
      <Button onClick={() => window.location.reload()}>{appCopy.reload}</Button>
    </div>
  )
}
