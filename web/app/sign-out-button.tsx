import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { refusalMessage } from '#session/refusal.ts'
import { signOut } from '#session/sign-out.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { appCopy } from './copy.ts'

export function SignOutButton() {
  const navigate = useNavigate()
  const [isLeaving, setIsLeaving] = useState(false)
  const isUnderWay = useRef(false)

  const handleClick = async () => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsLeaving(true)
    try {
      await signOut()
      await navigate('/login')
    } catch (error) {
      const description = refusalMessage(error, appCopy.unknownFailure)
      showToast({ title: appCopy.signOutFailed, description, variant: 'destructive' })
    } finally {
      isUnderWay.current = false
      setIsLeaving(false)
    }
  }

  return (
    <Button variant="outline" size="small" isBusy={isLeaving} onClick={() => void handleClick()}>
      {appCopy.signOut}
    </Button>
  )
}
