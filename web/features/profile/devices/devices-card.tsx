import { queryOptions, useQuery } from '@tanstack/react-query'
import { profileCopy } from '#features/profile/copy.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'

const copy = profileCopy.devices

const fetchPasswordDialog = async () => (await import('./password-dialog.tsx')).PasswordDialog

/** Loads the list after the page, which waits neither for its code nor for its rows. */
const listQuery = queryOptions({
  queryKey: ['part of the page', 'devices'],
  queryFn: () => import('./device-list.tsx'),
  staleTime: Infinity,
})

/** The customer's sessions, and a button that changes the password. */
export function DevicesCard() {
  const password = useLazyDialog(fetchPasswordDialog)
  const { data: list, isError, refetch } = useQuery(listQuery)
  return (
    <Card
      title={copy.title}
      action={
        <Button variant="outline" size="small" className="max-lg:min-h-11" onClick={() => password.open({})}>
          {copy.changePassword}
        </Button>
      }
    >
      {list !== undefined ? (
        <list.DeviceList />
      ) : (
        <div className="grid min-h-24 place-content-center px-4 sm:px-6">
          {isError ? (
            <RetryLine message={copy.failed} onRetry={() => void refetch()} />
          ) : (
            <Spinner label={copy.loading} />
          )}
        </div>
      )}
      {password.dialog}
    </Card>
  )
}
