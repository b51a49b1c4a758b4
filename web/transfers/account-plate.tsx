import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { OwnBalanceParts } from '#money/balance/parts.tsx'
import { useUser } from '#people/session/session.ts'
import { Plate } from '#ui/plate.tsx'
import { transfersCopy as copy } from './copy.ts'
import type { TransferAccount } from './transfers.ts'

/** The balance with its parts, the amount that open transfers reserve, and the available amount. */
export function AccountPlate({ account }: { account: TransferAccount }) {
  const userId = useUser().id
  const figures = [
    [copy.balance, account.balanceMinor],
    [copy.reserved, account.reservedMinor],
    [copy.available, account.availableMinor],
  ] as const
  return (
    <Plate
      aria-label={copy.account}
      rosette="top-1/2 right-0 size-[30rem] translate-x-[45%] -translate-y-1/2"
      className="p-4 sm:p-6"
    >
      <dl className="@container flex flex-wrap gap-x-5 gap-y-3 sm:gap-x-8">
        {figures.map(([label, minor]) => (
          <div key={label} className="max-w-full">
            <dt className="text-xs text-on-vault-muted sm:text-sm">{label}</dt>
            <dd className="text-lg font-semibold tracking-tight">
              <MoneyText>{displayedMinor(minor)}</MoneyText>
            </dd>
          </div>
        ))}
      </dl>
      <OwnBalanceParts userId={userId} />
    </Plate>
  )
}
