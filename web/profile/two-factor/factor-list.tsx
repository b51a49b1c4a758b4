import { KeyRound, Smartphone } from 'lucide-react'
import { profileCopy } from '#profile/copy.ts'
import { formatDateWithYear } from '#ui/format/dates.ts'
import type { SecondFactor } from '#people/session/second-factor.ts'
import { Button } from '#ui/button.tsx'

const copy = profileCopy.twoFactor

type Props = { factors: readonly SecondFactor[]; isBusy: boolean; onRemove: (factor: SecondFactor) => void }

/** The account's authenticator apps and passkeys, each with a button that removes it. */
export function FactorList({ factors, isBusy, onRemove }: Props) {
  return (
    <ul aria-label={copy.list} className="divide-y divide-line border-y border-line">
      {factors.map((factor) => {
        const Icon = factor.factor_type === 'webauthn' ? KeyRound : Smartphone
        return (
          <li key={factor.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-4 sm:px-6">
            <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-primary" strokeWidth={1.75} />
            <div className="min-w-0 flex-1 basis-32 text-sm text-muted">
              <p className="text-base font-medium text-ink wrap-anywhere">{nameOf(factor)}</p>
              <p>{textOf(factor)}</p>
            </div>
            <Button
              variant="danger"
              size="touch"
              className="-mr-3 -ml-3"
              disabled={isBusy}
              aria-label={copy.removeOf(nameOf(factor))}
              onClick={() => onRemove(factor)}
            >
              {copy.remove}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

/** Returns the name that the user chose for the factor, or a default name for its type. */
export function nameOf({ friendly_name: name = '', factor_type: type }: SecondFactor): string {
  if (name.trim() !== '') return name
  return type === 'webauthn' ? copy.passkey : copy.app
}

function textOf({
  friendly_name: name = '',
  factor_type: type,
  created_at: createdAt,
}: SecondFactor): string {
  const kind = type === 'webauthn' ? copy.passkey : copy.app
  const added = copy.added(formatDateWithYear(createdAt))
  return name.trim() === '' ? added : `${kind} · ${added}`
}
