import { profileCopy } from '#profile/copy.ts'
import { LazyPart } from '#profile/lazy-part.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'

const copy = profileCopy.devices

const passwordDialog = lazyCode(() => import('./password-dialog.tsx'), 'PasswordDialog')
const deviceList = lazyCode(() => import('./device-list.tsx'), 'DeviceList')

/** The customer's sessions, and a button that changes the password. */
export function DevicesCard() {
  const password = useLazyDialog(passwordDialog)
  return (
    <Card
      title={copy.title}
      action={
        <Button variant="outline" size="touch" onClick={() => password.open({})}>
          {copy.changePassword}
        </Button>
      }
    >
      <LazyPart code={deviceList} loading={copy.loading} />
      {password.dialog}
    </Card>
  )
}
