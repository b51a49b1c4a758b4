import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { configuration, hasFeature } from '#api/configuration.ts'
import { AddressCard } from '#profile/devices/address-card.tsx'
import { DevicesCard } from '#profile/devices/devices-card.tsx'
import { PrivacyCard } from '#profile/privacy/privacy-card.tsx'
import { TwoFactorCard } from '#profile/two-factor/two-factor-card.tsx'
import { initials } from '#ui/format/text.ts'
import { fullNameOf, useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { profileCopy } from './copy.ts'
import { LazyPart } from './lazy-part.tsx'
import './profile.css'
import { verifiedNameQuery } from './verified-name.ts'
import { CategoriesCard, MoreCard, SettingsCard, ThemeCard } from './settings.tsx'

const profileDialog = lazyCode(() => import('./profile-dialog.tsx'), 'ProfileDialog')
const notificationList = lazyCode(() => import('#profile/notices/notification-list.tsx'), 'NotificationList')

export function ProfilePage() {
  const user = useUser()
  const fullName = fullNameOf(user)
  const email = user.email ?? ''
  const { data: verifiedName = null } = useQuery(verifiedNameQuery(user.id))
  const { open, dialog } = useLazyDialog(profileDialog, { fullName, verifiedName })
  const edit = () => open({ fullName, verifiedName })

  return (
    <>
      <PageHeading documentTitle={profileCopy.documentTitle} heading={profileCopy.heading} />
      <div className="profile-parts grid grid-cols-1 items-start gap-4 sm:gap-6">
        <section className="flex min-w-0 flex-col items-center rounded-lg border border-line bg-surface p-6 text-center sm:p-8">
          <Avatar name={fullName === '' ? email : fullName} />
          <p translate="no" className="mt-5 max-w-full text-lg font-semibold wrap-anywhere">
            {fullName === '' ? profileCopy.unnamed : fullName}
          </p>
          <p translate="no" className="max-w-full text-muted wrap-anywhere">
            {email}
          </p>
          {verifiedName !== null && (
            <p className="mt-2 max-w-full text-sm text-muted wrap-anywhere">
              {profileCopy.verifiedName(verifiedName)}
            </p>
          )}
          <Button className="mt-6" onClick={edit}>
            {profileCopy.edit}
          </Button>
        </section>
        <div className="grid min-w-0 grid-cols-1 gap-4 sm:gap-6">
          {hasFeature('notificaciones') && (
            <Card title={profileCopy.received.title}>
              <LazyPart code={notificationList} loading={profileCopy.received.loading} />
            </Card>
          )}
          <SettingsCard onEditPersonal={edit} />
          <CategoriesCard />
          {user.new_email !== undefined && <AddressCard newEmail={user.new_email} />}
          <DevicesCard />
          <TwoFactorCard />
          <ThemeCard />
          <MoreCard />
          <PrivacyCard />
        </div>
      </div>
      {dialog}
    </>
  )
}

const sizePx = 112

/**
 * The user's avatar. The configured avatar service receives only the initials. If no service is configured, or if it
 * does not answer, the page draws the initials itself.
 */
function Avatar({ name }: { name: string }) {
  const { avatarUrl } = configuration()
  const letters = initials(name)
  const address = avatarUrl.replace('{initials}', encodeURIComponent(letters))
  const [failedAddress, setFailedAddress] = useState('')

  return (
    <span className="profile-avatar grid place-items-center overflow-hidden rounded-full bg-vault text-2xl font-semibold text-on-vault">
      {avatarUrl === '' || failedAddress === address ? (
        <span aria-hidden="true">{letters}</span>
      ) : (
        <img
          src={address}
          alt={''}
          width={sizePx}
          height={sizePx}
          referrerPolicy="no-referrer"
          onError={() => setFailedAddress(address)}
        />
      )}
    </span>
  )
}
