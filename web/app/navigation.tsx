import { House, Menu, ReceiptText, ShieldCheck, UserRound, type LucideIcon } from 'lucide-react'
import { useRef, type ComponentProps } from 'react'
import { configuration } from '#api/configuration.ts'
import { CountedLink } from '#navigation/counted-link.tsx'
import { isMoneyPage, moneyPages } from '#navigation/money-pages.tsx'
import { navigationCopy } from '#navigation/copy.ts'
import { specifiedMessage } from '#api/errors.ts'
import { isAdministrator, signOut, useUser } from '#people/session/session.ts'
import { useAddress, useGo } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { BrandMark } from '#ui/brand-mark.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { appCopy } from './copy.ts'
import type { PagePath } from './pages.ts'

type Entry = { to: PagePath; label: string }

export const customerEntries: readonly Entry[] = [
  { to: '/dashboard', label: appCopy.home },
  { to: '/transacciones', label: appCopy.transactions },
  { to: '/cuentas', label: appCopy.accounts },
  { to: '/documentos', label: appCopy.documents },
  { to: '/soporte', label: appCopy.support },
  { to: '/perfil', label: appCopy.profile },
]
const administratorEntry: Entry = { to: '/admin', label: appCopy.admin }

export function TopBar() {
  const isAdmin = isAdministrator(useUser())
  const entries = isAdmin ? [...customerEntries, administratorEntry] : customerEntries
  return (
    <header className="top-0 z-30 border-b min-[18rem]:sticky border-line bg-canvas pt-[env(safe-area-inset-top)]">
      <div className="@container mx-auto flex min-h-14 max-w-6xl items-center gap-x-4 px-3 sm:px-6 lg:min-h-16 lg:flex-wrap lg:gap-7 lg:px-8">
        <Link to="/dashboard" className="flex min-w-0 items-center gap-2.5 rounded-sm py-1 font-semibold">
          <BrandMark className="size-8 shrink-0" />
          <span className="truncate">{configuration().brandName}</span>
        </Link>
        <nav aria-label={appCopy.mainNavigation} className="hidden flex-wrap self-stretch lg:flex">
          {entries.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              className="flex items-center border-y-2 border-transparent px-3 py-1.5 text-sm font-medium text-muted transition-colors hover:text-ink aria-[current=page]:border-b-brass aria-[current=page]:text-ink"
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto">
          <div className="hidden lg:block">
            <SignOutButton />
          </div>
          <PhoneMenu />
        </div>
      </div>
    </header>
  )
}

const menuId = 'menu'
const menuEntries = customerEntries.filter(
  ({ to }) => !['/dashboard', '/transacciones', '/perfil'].includes(to),
)

/**
 * The pages that do not fit into the bottom bar. The menu is a native popover, which closes on Escape or on a tap
 * outside it.
 */
function PhoneMenu() {
  const menu = useRef<HTMLDivElement>(null)
  const hide = () => menu.current?.hidePopover()
  return (
    <div className="-mr-3 lg:hidden">
      <button
        type="button"
        popoverTarget={menuId}
        aria-label={appCopy.menu}
        className={buttonClass({ variant: 'quiet' })}
      >
        <Menu aria-hidden="true" className="size-5" />
        {/* With large text the label beside the icon is hidden, so that the bank's name fits and the bar does not
            wrap. */}
        <span className="@max-[20rem]:hidden">{appCopy.menu}</span>
      </button>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        className="fixed inset-auto top-(--header-height) max-[18rem]:top-14 right-3 m-0 w-60 rounded-lg border border-line bg-raised p-2 text-ink shadow-float"
      >
        <nav aria-label={appCopy.menu}>
          <MenuGroup label={navigationCopy.pages} entries={moneyPages()} onFollow={hide} />
          <MenuGroup label={appCopy.bank} entries={menuEntries} onFollow={hide} />
        </nav>
        <div className="mt-2 grid border-t border-line pt-2">
          <SignOutButton />
        </div>
      </div>
    </div>
  )
}

type GroupProps = { label: string; entries: readonly Entry[]; onFollow: () => void }

function MenuGroup({ label, entries, onFollow }: GroupProps) {
  const { pathname } = useAddress()
  return (
    <section aria-label={label} className="grid">
      <p aria-hidden="true" className="px-3 pt-2 text-sm text-muted">
        {label}
      </p>
      {entries.map(({ to, label: name }) => (
        <Link
          key={to}
          to={to}
          onClick={onFollow}
          aria-current={to === pathname ? 'page' : undefined}
          className="flex min-h-11 items-center rounded-md px-3 font-medium hover:bg-sunken aria-[current=page]:text-primary"
        >
          {name}
        </Link>
      ))}
    </section>
  )
}

type TabEntry = Entry & { icon: LucideIcon }

const customerTabs: readonly TabEntry[] = [
  { to: '/dashboard', label: appCopy.home, icon: House },
  { to: '/transacciones', label: appCopy.transactions, icon: ReceiptText },
  { to: '/perfil', label: appCopy.profile, icon: UserRound },
]
const administratorTab: TabEntry = { ...administratorEntry, icon: ShieldCheck }

export function BottomBar() {
  const tabs = isAdministrator(useUser()) ? [...customerTabs, administratorTab] : customerTabs
  return (
    <nav
      aria-label={appCopy.bottomNavigation}
      className="fixed inset-x-0 bottom-0 z-30 flex min-h-(--bottom-bar-height) border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {tabs.map(({ to, label, icon: Icon }) => (
        <NavLink
          key={to}
          to={to}
          className="relative flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent px-1 text-xs font-medium text-muted aria-[current=page]:border-t-brass aria-[current=page]:text-ink"
        >
          <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
          <span className="max-w-full truncate max-[16rem]:sr-only">{label}</span>
        </NavLink>
      ))}
    </nav>
  )
}

function SignOutButton() {
  const go = useGo()
  const { isBusy, run } = useTask((error) =>
    showFailure({ title: appCopy.signOutFailed, description: specifiedMessage(error) }),
  )
  const leave = async () => {
    await signOut()
    go('/login')
  }
  return (
    <Button variant="outline" size="small" isBusy={isBusy} onClick={() => run(leave)}>
      {appCopy.signOut}
    </Button>
  )
}

function NavLink(props: Omit<ComponentProps<typeof CountedLink>, 'page'>) {
  const { pathname } = useAddress()
  const shownPath = isMoneyPage(pathname) ? '/dashboard' : pathname
  const isShown = `${shownPath}/`.startsWith(`${props.to}/`)
  return <CountedLink {...props} page={props.to} aria-current={isShown ? 'page' : undefined} />
}
