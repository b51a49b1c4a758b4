import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { customersCopy } from './copy.ts'
import { customerKeys } from './customer.ts'

const copy = customersCopy.holder

/** The corrections of a customer's data, with the earlier and the new values. Renders nothing without corrections. */
export function HolderCorrections({ id }: { id: string }) {
  const corrections = useQuery({
    queryKey: [...customerKeys.opened(id), 'holder'],
    queryFn: async ({ signal }) => {
      const client = await backend()
      return unwrap(await client.rpc('read_holder_corrections', { user_id: id }).abortSignal(signal))
    },
  })
  if (corrections.isError)
    return <RetryLine message={copy.correctionsFailed} onRetry={() => void corrections.refetch()} />
  if (corrections.data === undefined || corrections.data.length === 0) return null
  return (
    <details className="group border-t border-line px-4 py-2 text-sm sm:px-6">
      <summary className="flex min-h-11 items-center justify-between gap-4 font-medium [&::-webkit-details-marker]:hidden">
        {copy.corrections(corrections.data.length)}
        <ChevronDown
          aria-hidden="true"
          className="size-4.5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <ul className="grid gap-2 pb-2">
        {corrections.data.map(({ id: key, corrected_at, corrected_by, before, after }) => (
          <li key={key} className="wrap-anywhere">
            <span className="text-muted">
              {[formatDateTimeShort(corrected_at), corrected_by ?? '']
                .filter((word) => word !== '')
                .join(' · ')}
            </span>
            {Object.entries(after as Values).map(([field, value]) => (
              <span key={field} className="block">
                {copy.changed(field, (before as Values)[field] ?? copy.missing, value ?? copy.missing)}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </details>
  )
}

type Values = Readonly<Record<string, string | null>>
