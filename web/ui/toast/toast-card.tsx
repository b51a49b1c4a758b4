import { X } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { uiCopy } from '#ui/copy.ts'
import type { ShownToast } from './toast-store.ts'

type Props = { toast: ShownToast; onDismiss: () => void }

const durationMs = 5000
/** Minimum distance of a drag that dismisses the toast. */
const swipeThresholdPx = 50

const buttonClass =
  'min-h-9 rounded-md px-3 text-sm font-semibold text-primary underline-offset-4 hover:bg-primary-soft hover:underline'

const looks = {
  default: 'border-line bg-raised text-ink',
  destructive: 'border-transparent bg-danger-solid text-on-danger',
} as const

/**
 * A toast that closes after its duration, or when the user presses its button or Escape or swipes it to the right. The
 * countdown pauses while the tab is hidden, and while the pointer or the focus is on the toast.
 */
export function ToastCard({ toast, onDismiss }: Props) {
  const [isHovered, setIsHovered] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const { offsetPx, handlers } = useSwipe(onDismiss)
  const isUnseen = useSyncExternalStore(subscribeToVisibility, isPageHidden)
  useCountdown({
    durationMs: toast.durationMs ?? durationMs,
    isPaused: isHovered || isFocused || isUnseen || offsetPx > 0,
    onEnd: onDismiss,
  })

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The event is stopped, so that Escape does not also close a dialog behind the toast.
    event.nativeEvent.stopImmediatePropagation()
    onDismiss()
  }

  return (
    <div
      {...handlers}
      data-toast={toast.variant ?? 'default'}
      onMouseEnter={() => setIsHovered(true)}
      onMouseLeave={() => setIsHovered(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
      onKeyDown={handleKeyDown}
      style={{
        touchAction: 'pan-y',
        userSelect: 'none',
        transform: offsetPx > 0 ? `translateX(${offsetPx}px)` : undefined,
      }}
      className={`sheet-enter pointer-events-auto flex flex-wrap items-center gap-x-2 rounded-lg border py-2 pr-2 pl-5 text-sm wrap-anywhere shadow-float ${looks[toast.variant ?? 'default']}`}
    >
      <p className="min-w-0 flex-1 basis-32 py-1.5 font-semibold">{toast.title}</p>
      <Texts toast={toast} />
      <Buttons toast={toast} onDismiss={onDismiss} />
    </div>
  )
}

/** The buttons of a toast. Each of them also closes the toast. */
function Buttons({ toast: { action, offer }, onDismiss }: Props) {
  const select = ({ onSelect }: { onSelect: () => void }) => {
    onDismiss()
    onSelect()
  }
  return (
    <>
      {action !== undefined && (
        <button
          type="button"
          aria-keyshortcuts={action.keyShortcuts}
          onClick={() => select(action)}
          className={`${buttonClass} shrink-0`}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={uiCopy.closeToast}
        onClick={onDismiss}
        className="grid size-9 shrink-0 place-items-center rounded-md opacity-80 hover:opacity-100"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
      {offer !== undefined && (
        <button
          type="button"
          onClick={() => select(offer)}
          style={{ order: 1 }}
          className={`${buttonClass} -ml-3 w-full text-left wrap-anywhere`}
        >
          {offer.label}
        </button>
      )}
    </>
  )
}

function Texts({ toast }: { toast: ShownToast }) {
  return (
    <>
      {[toast.description, toast.note].map(
        (text) =>
          text !== undefined && (
            <p key={text} title={text} className="toast-text">
              {text}
            </p>
          ),
      )}
    </>
  )
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

function isPageHidden(): boolean {
  return document.visibilityState === 'hidden'
}

type Countdown = { durationMs: number; isPaused: boolean; onEnd: () => void }

/**
 * Calls `onEnd` after the duration. The countdown stops while it is paused, and continues afterwards. If the duration
 * is `Infinity`, `onEnd` is never called.
 */
function useCountdown({ durationMs, isPaused, onEnd }: Countdown): void {
  const remainingMs = useRef(durationMs)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (isPaused || remainingMs.current === Number.POSITIVE_INFINITY) return undefined
    const startedAt = Date.now()
    const timer = window.setTimeout(() => end(), remainingMs.current)
    return () => {
      window.clearTimeout(timer)
      remainingMs.current -= Date.now() - startedAt
    }
  }, [isPaused])
}

/**
 * Moves the toast while the user drags it to the right. A drag beyond the threshold counts as a swipe; after a shorter
 * drag, the toast springs back.
 */
function useSwipe(onSwipe: () => void) {
  const startX = useRef<number | null>(null)
  const [offsetPx, setOffsetPx] = useState(0)

  const release = () => {
    startX.current = null
    setOffsetPx(0)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button === 0) startX.current = event.clientX
    },
    onPointerMove: (event: PointerEvent) => {
      if (startX.current === null) return
      const distance = Math.max(0, event.clientX - startX.current)
      // The pointer is captured only during a drag, because otherwise a click would not reach the button under the
      // pointer.
      if (distance > 4) event.currentTarget.setPointerCapture(event.pointerId)
      setOffsetPx(distance)
    },
    onPointerUp: (event: PointerEvent) => {
      const isSwipe = startX.current !== null && event.clientX - startX.current >= swipeThresholdPx
      release()
      if (isSwipe) onSwipe()
    },
    onPointerCancel: release,
  }
  return { offsetPx, handlers }
}
