import { useState, type ComponentType } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { Button } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { showToast } from '#ui/toast/toast-store.ts'

type DialogPart = ComponentType<{ onClose: () => void }>

/** Opens the explanation of the balance, which is fetched only then: few ask. */
export function BalanceButton() {
  const [part, setPart] = useState<{ Dialog: DialogPart } | null>(null)
  const [isOpening, setIsOpening] = useState(false)

  const open = async () => {
    setIsOpening(true)
    try {
      const { BalanceDialog } = await import('./balance-dialog.tsx')
      setPart({ Dialog: BalanceDialog })
    } catch (error) {
      logQuietly(error, 'balance dialog')
      showToast({
        title: dashboardCopy.openFailedTitle,
        description: dashboardCopy.openFailedText,
        variant: 'destructive',
      })
    } finally {
      setIsOpening(false)
    }
  }

  return (
    <>
      {/* Not disabled while it is fetched: the dialog gives the focus back to it. */}
      <Button
        variant="quiet-plate"
        size="small"
        className="-ml-3"
        aria-busy={isOpening || undefined}
        onClick={() => void open()}
      >
        {isOpening && <Spinner size="small" />}
        {dashboardCopy.whyBalance}
      </Button>
      {part !== null && <part.Dialog onClose={() => setPart(null)} />}
    </>
  )
}
