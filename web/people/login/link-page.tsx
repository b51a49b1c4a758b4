import { useEffect, useEffectEvent, useState } from 'react'
import {
  cancelAddressLinkType,
  confirmAddressLinkType,
  stopNoticesLinkType,
  stopRequestNoticesLinkType,
  undoLinkType,
} from '@finanzas/contract/people/mailed-link.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { verifySession } from '#api/unwrap.ts'
import type { PendingLink } from '#people/session/auth-link.ts'
import { adopt, decline, openAsked, openLink, otherAddress, type Opened } from '#people/session/link-calls.ts'
import { isOpenedForPassword } from '#people/session/second-factor.ts'
import { refusalOf } from '#people/session/refusal.ts'
import { useSession } from '#people/session/session.ts'
import { askedLink, forgetAskedLink, hasStoredSession } from '#people/session/stored.ts'
import { Button } from '#ui/button.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { AuthFrame } from './auth-frame.tsx'
import { linkCopy as copy } from './link-copy.ts'

/**
 * Asks whether to open the link's account, because another account is signed in here or because this browser requested
 * a link for another account. `present` is the e-mail address of the account that is signed in. `present` is empty if
 * this address is unknown, and `null` if no other account is signed in.
 */
type Question = { opened: Opened; present: string | null }

/**
 * The page that a mailed link opens. In the browser that requested the link, the page uses the link immediately. In any
 * other browser, the page waits until the user presses the button, so that mail scanners cannot use up the link. The
 * page first asks whether to continue if another account is signed in here, or if this browser requested a link for
 * another account. The page also asks the user before it replaces the session of another account with tokens from the
 * URL.
 */
export function LinkPage({ link }: { link: PendingLink }) {
  const { settleLink } = useSession()
  const [asked] = useState(askedLink)
  const isExpected = link.kind === 'session' || (asked !== null && noticeToast(link) === null)
  const { question, isBusy, run, enter, open, openExpected } = useOpening(link, asked, isExpected)
  const openByItself = useEffectEvent(() => run(openExpected))
  useEffect(() => {
    if (isExpected) openByItself()
  }, [isExpected])

  if (question !== null)
    return (
      <AccountQuestion
        {...question}
        isBusy={isBusy}
        onAccept={() => run(() => enter(question.opened))}
        onDecline={() =>
          run(async () => {
            await decline(question.opened)
            settleLink('done')
          })
        }
      />
    )
  const words = wordsFor(link)
  return (
    <AuthFrame documentTitle={copy.documentTitle} headline={words.headline} intro={words.intro}>
      <Choices
        isBusy={isBusy}
        accept={words.submit}
        onAccept={() => run(open)}
        decline={copy.cancel}
        onDecline={() => settleLink('done')}
      />
    </AuthFrame>
  )
}

/**
 * Opens a link. If the link would open another account than the one that is signed in or asked for the link, `question`
 * is set instead.
 */
function useOpening(link: PendingLink, asked: string | null, isExpected: boolean) {
  const { settleLink } = useSession()
  const [question, setQuestion] = useState<Question | null>(null)
  const { isBusy, run } = useTask((error) => {
    const deadStop = link.kind === 'token' ? deadStops.get(link.type) : undefined
    if (isDead(error) && deadStop !== undefined) {
      // This link has its own message. The general message for a dead link would tell the user to sign up again.
      showFailure({ title: copy.deadStopTitle, description: deadStop })
      settleLink('done')
    } else if (isDead(error)) settleLink('dead')
    else showFailure({ title: copy.failedTitle, description: refusalOf(error).description })
  }, isExpected)
  const welcome = (session: Opened['session']) => {
    const isRecovering = isOpenedForPassword(session)
    const description = copy.enteredText(session.user.email ?? '')
    if (!isRecovering) showToast({ title: copy.enteredTitle, description })
    settleLink(isRecovering ? 'password' : 'done')
  }
  const enter = async (opened: Opened) => {
    await adopt(opened)
    welcome(opened.session)
  }
  const sayWithoutSession = async () => {
    // The link may have ended this page's session. Check the session before a toast is shown, because toasts disappear
    // when the session ends.
    if (link.kind === 'token' && link.type === undoLinkType) await verifySession()
    showToast(noticeToast(link) ?? halfToast)
    settleLink('done')
  }
  const open = async () => {
    const opened = await openLink(link)
    if (opened === null) {
      await sayWithoutSession()
      return
    }
    const present = await otherAddress(opened)
    const isOthers = link.kind === 'token' && asked !== null && opened.session.user.email !== asked
    if (present === null && !isOthers) await enter(opened)
    else setQuestion({ opened, present })
  }
  const openExpected = async () => {
    forgetAskedLink()
    const isAskedHere = link.kind === 'token' && asked !== null && !hasStoredSession()
    const session = isAskedHere ? await openAsked(link, asked) : 'refused'
    if (session === 'refused') await open()
    else if (session === null) await sayWithoutSession()
    else welcome(session)
  }
  return { question, isBusy, run, enter, open, openExpected }
}

type QuestionProps = Question & Pick<ChoicesProps, 'isBusy' | 'onAccept' | 'onDecline'>

/** Asks before the link opens another account than the one that is signed in or asked for the link. */
function AccountQuestion({ opened, present, ...choices }: QuestionProps) {
  const email = opened.session.user.email ?? ''
  return (
    <AuthFrame
      documentTitle={copy.documentTitle}
      headline={copy.question.headline(email)}
      intro={introOf(present)}
    >
      <Choices
        {...choices}
        accept={copy.question.accept(email)}
        decline={present === null || present === '' ? copy.cancel : copy.question.decline(present)}
      />
    </AuthFrame>
  )
}

type ChoicesProps = {
  isBusy: boolean
  accept: string
  onAccept: () => void
  decline: string
  onDecline: () => void
}

function Choices({ isBusy, accept, onAccept, decline: declineWords, onDecline }: ChoicesProps) {
  return (
    <div className="grid gap-3">
      <Button isBusy={isBusy} className="wrap-anywhere" onClick={onAccept}>
        {accept}
      </Button>
      <Button variant="quiet" disabled={isBusy} className="wrap-anywhere" onClick={onDecline}>
        {declineWords}
      </Button>
    </div>
  )
}

function introOf(present: Question['present']): string {
  if (present === null) return copy.question.unexpected
  return present === '' ? copy.question.introUnknown : copy.question.intro(present)
}

const deadStops = new Map([
  [stopNoticesLinkType, copy.deadStopText],
  [stopRequestNoticesLinkType, copy.deadRequestsText],
])

const halfToast = { title: copy.halfTitle, description: copy.halfText }

const noticeToasts = new Map([
  [undoLinkType, { title: copy.undoneTitle, description: copy.undoneText }],
  [confirmAddressLinkType, { title: copy.confirmedTitle, description: copy.confirmedText }],
  [cancelAddressLinkType, { title: copy.cancelledTitle, description: copy.cancelledText }],
  [stopNoticesLinkType, { title: copy.stoppedTitle, description: copy.stoppedText }],
  [stopRequestNoticesLinkType, { title: copy.stoppedRequestsTitle, description: copy.stoppedRequestsText }],
])

/** Returns the toast for a link that does not start a session, or `null` for any other link. */
function noticeToast(link: PendingLink) {
  return link.kind === 'token' ? (noticeToasts.get(link.type) ?? null) : null
}

function wordsFor(link: PendingLink) {
  const { kinds } = copy
  if (link.kind === 'session') return kinds.other
  return Object.hasOwn(kinds, link.type) ? kinds[link.type as keyof typeof kinds] : kinds.other
}

function isDead(error: unknown): boolean {
  return ['otp_expired', 'bad_jwt', 'session_not_found'].includes(errorCode(error))
}
