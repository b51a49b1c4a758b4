import { profileCopy } from '#features/profile/copy.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { lazyCode } from '#lazy/lazy.ts'
import { useLazyCode } from '#lazy/use-lazy-code.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'

const copy = profileCopy.devices

const passwordDialog = lazyCode(() => import('./password-dialog.tsx'), 'PasswordDialog')

/** The page does not wait for the code or the rows of this list. */
const deviceList = lazyCode(() => import('./device-list.tsx'), 'DeviceList')

/** The customer's sessions, and a button that changes the password. */
export function DevicesCard() {
  const password = useLazyDialog(passwordDialog)
  const { data: DeviceList, error, refetch } = useLazyCode(deviceList)
  return (
    <Card
      title={copy.title}
      action={
        <Button variant="outline" size="small" className="max-lg:min-h-11" onClick={() => password.open({})}>
          {copy.changePassword}
        </Button>
      }
    >
      {DeviceList !== undefined ? (
        <DeviceList />
      ) : (
        <div className="grid min-h-24 place-content-center px-4 sm:px-6">
          {error ? (
            <RetryLine message={error.message} onRetry={() => void refetch()} />
          ) : (
            <Spinner label={copy.loading} />
          )}
        </div>
      )}
      {password.dialog}
    </Card>
  )
}
