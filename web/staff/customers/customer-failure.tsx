import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { forbiddenCode, missingRowCode } from '#api/error-codes.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { customersCopy } from './copy.ts'

/** Says why a customer cannot be shown. */
export function CustomerFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const code = errorCode(error)
  if (code === missingRowCode || code === '22P02')
    return <p className="text-muted">{customersCopy.missing}</p>
  if (code === forbiddenCode) return <p className="text-muted">{customersCopy.forbidden}</p>
  return <RetryLine message={customersCopy.failed} onRetry={onRetry} />
}
