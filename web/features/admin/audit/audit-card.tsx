import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { errorCode } from '#backend/errors.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { usersQuery } from '#features/admin/users/users.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { AuditTable } from './audit-table.tsx'
import { auditQuery } from './audit.ts'

/** What administrators, operators and services did to accounts. */
export function AuditCard() {
  const audit = useInfiniteQuery(auditQuery)
  const { data: users } = useQuery(usersQuery)
  const namesById = useMemo(() => new Map(users?.map(({ id, name }) => [id, name])), [users])
  const entries = audit.data?.pages.flat() ?? []
  const retry = () => void (entries.length === 0 ? audit.refetch() : audit.fetchNextPage())

  return (
    <Card title={adminCopy.auditTitle}>
      {entries.length > 0 && <AuditTable entries={entries} namesById={namesById} />}
      {audit.isError ? (
        <div className="grid min-h-24 place-content-center px-6">
          <RetryLine message={failureSentence(audit.error)} retryLabel={adminCopy.retry} onRetry={retry} />
        </div>
      ) : audit.isPending ? (
        <div className="grid min-h-64 place-content-center">
          <Spinner label={adminCopy.auditLoading} />
        </div>
      ) : entries.length === 0 ? (
        <p className="grid min-h-40 place-content-center px-6 text-center text-muted">
          {adminCopy.auditEmpty}
        </p>
      ) : (
        audit.hasNextPage && (
          <div className="flex justify-center border-t border-line p-4">
            <Button
              variant="outline"
              size="small"
              aria-disabled={audit.isFetchingNextPage}
              onClick={() => {
                if (!audit.isFetchingNextPage) void audit.fetchNextPage()
              }}
            >
              {audit.isFetchingNextPage && <Spinner size="small" />}
              {adminCopy.showMore}
            </Button>
          </div>
        )
      )}
    </Card>
  )
}

/** Without the administrator's role the database answers 42501: another try would not help. */
function failureSentence(error: unknown): string {
  return errorCode(error) === '42501' ? adminCopy.auditForbidden : adminCopy.auditFailed
}
