import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { AmountsEye } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { useSearchParameters } from '#ui/address/address.tsx'
import { Button } from '#ui/button.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { useKeptFocus } from '#ui/focus/use-kept-focus.ts'
import { UnreadCard } from '#ui/ghost-rows.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { AccountPlate } from './account-plate.tsx'
import { AliasCard } from './alias-card.tsx'
import { BeneficiariesCard } from '#transfers/beneficiaries/beneficiaries-card.tsx'
import { transfersCopy as copy } from './copy.ts'
import { EndedCard } from './ended-card.tsx'
import { LimitsCard } from './limits-card.tsx'
import { useRowsMax } from '#ui/use-rows-max.ts'
import { OpenCard } from './open-card.tsx'
import { OwnPasswordCard } from './own-password-card.tsx'
import { endedShown, endedTransfersQuery, transfersQuery, type Transfer } from './transfers.ts'
import './transfers.css'

const transferDialog = lazyCode(() => import('#transfers/request/transfer-dialog.tsx'), 'TransferDialog')
const detailsDialog = lazyCode(() => import('./details-dialog.tsx'), 'TransferDetails')

/**
 * The customer's transfers, beneficiaries and limits. The URL may ask for a new transfer with `?nueva=1`, or with a
 * beneficiary's id in place of the 1.
 */
export function TransfersPage() {
  const user = useUser()
  const { rowsMax, moreOf } = useRowsMax(endedShown)
  const transfers = useQuery(transfersQuery(user.id))
  const ended = useQuery(endedTransfersQuery(user.id, rowsMax))
  const { open, dialog } = useLazyDialog(transferDialog)
  const details = useDetails([...(transfers.data?.open ?? []), ...(ended.data ?? [])])
  const openNew = useCallback(
    (to = '') => open({ userId: user.id, ownAddress: user.email, to }),
    [open, user.id, user.email],
  )
  const needsOwnPassword = transfers.data?.account.needsOwnPassword === true
  const area = useKeptFocus<HTMLDivElement>()
  useNewFromAddress(openNew)
  return (
    <>
      <PageHeading documentTitle={copy.documentTitle} heading={copy.heading} below={<MoneyPages />}>
        <AmountsEye className="transfers-eye" />
        <div className="transfers-new">
          <Button aria-haspopup="dialog" disabled={needsOwnPassword} onClick={() => openNew()}>
            <Plus aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {copy.add}
          </Button>
        </div>
      </PageHeading>
      {transfers.data === undefined || ended.data === undefined ? (
        <UnreadCard
          query={transfers.data === undefined ? transfers : ended}
          loading={copy.loading}
          message={copy.unread}
        />
      ) : (
        <div ref={area} tabIndex={-1} className="transfers-parts">
          {needsOwnPassword && <OwnPasswordCard address={user.email ?? ''} />}
          <AccountPlate account={transfers.data.account} />
          <div className="transfers-column">
            <OpenCard userId={user.id} transfers={transfers.data.open} onOpen={details.open} />
            <EndedCard
              transfers={ended.data}
              onOpen={details.open}
              isReading={ended.isPlaceholderData}
              onEarlier={moreOf(ended.data.length)}
            />
          </div>
          <div className="transfers-column">
            <BeneficiariesCard user={user} beneficiaries={transfers.data.beneficiaries} />
            <LimitsCard userId={user.id} account={transfers.data.account} />
            <AliasCard userId={user.id} />
          </div>
        </div>
      )}
      {dialog}
      {details.dialog}
    </>
  )
}

/** Opens the form for a new transfer if the URL asks for it. */
function useNewFromAddress(openNew: (to?: string) => void): void {
  const [parameters, setParameters] = useSearchParameters()
  const wanted = parameters.get('nueva')
  useEffect(() => {
    if (wanted === null) return
    openNew(wanted)
    // A reload of the page must not open the form again.
    setParameters(() => new URLSearchParams(), { replace: true })
  }, [wanted, openNew, setParameters])
}

/**
 * Returns a function that opens the details of a transfer, and the details dialog. An open dialog always shows the
 * current status, even if the transfer moves from the list of open transfers to the list of ended transfers.
 */
function useDetails(transfers: readonly Transfer[]) {
  const [shown, setShown] = useState('')
  const transfer = transfers.find(({ id }) => id === shown)
  const { open, dialog } = useLazyDialog(detailsDialog, transfer && { transfer })
  return {
    open: (opened: Transfer) => {
      setShown(opened.id)
      open({ transfer: opened })
    },
    dialog,
  }
}
