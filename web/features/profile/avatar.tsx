import { useState } from 'react'
import { configuration } from '#backend/configuration.ts'
import { initials } from '#format/initials.ts'

const sizePx = 112

/** The avatar that the configured service draws from the initials alone; drawn here when there is no service or no answer. */
export function Avatar({ name }: { name: string }) {
  const { avatarUrl } = configuration()
  const letters = initials(name)
  const address = avatarUrl.replace('{initials}', encodeURIComponent(letters))
  const [failedAddress, setFailedAddress] = useState('')

  return (
    <span className="grid size-28 place-items-center overflow-hidden rounded-full bg-vault text-2xl font-semibold text-on-vault ring-1 ring-brass ring-offset-4 ring-offset-surface">
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
          className="size-full object-cover"
        />
      )}
    </span>
  )
}
