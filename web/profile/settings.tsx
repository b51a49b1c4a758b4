import {
  Bell,
  ChevronRight,
  FileText,
  LifeBuoy,
  LockKeyhole,
  Tag,
  UserRound,
  WalletCards,
  type LucideIcon,
} from 'lucide-react'
import { hasFeature } from '#api/configuration.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Link } from '#ui/address/link.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { announceNotImplemented } from '#ui/toast/not-implemented.ts'
import { Card } from '#ui/card.tsx'
import { useTheme, type Theme } from '#ui/theme.ts'
import { profileCopy } from './copy.ts'

type Content = { title: string; text: string; icon: LucideIcon }
type Row = Content & { onClick: () => void }

const rowClass =
  'profile-row flex w-full items-center gap-4 px-4 py-3 text-left transition-colors hover:bg-sunken sm:px-6'

function RowContent({ title, text, icon: Icon }: Content) {
  return (
    <>
      <Icon aria-hidden="true" className="size-5 text-primary" strokeWidth={1.75} />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-muted">{text}</span>
      </span>
      <ChevronRight aria-hidden="true" className="size-4.5 text-muted" />
    </>
  )
}

const preferencesDialog = lazyCode(
  () => import('#profile/notices/preferences-dialog.tsx'),
  'PreferencesDialog',
)

export function SettingsCard({ onEditPersonal }: { onEditPersonal: () => void }) {
  const preferences = useLazyDialog(preferencesDialog)
  const rows: readonly Row[] = [
    { ...profileCopy.personal, icon: UserRound, onClick: onEditPersonal },
    {
      ...profileCopy.security,
      icon: LockKeyhole,
      onClick: () => announceNotImplemented(profileCopy.passwordBelow),
    },
    {
      ...profileCopy.notifications,
      icon: Bell,
      onClick: () =>
        hasFeature('notificaciones')
          ? preferences.open({})
          : announceNotImplemented(profileCopy.noticesByMail),
    },
  ]
  return (
    <Card title={profileCopy.settingsTitle}>
      <ul className="divide-y divide-line">
        {rows.map(({ title, text, icon, onClick }) => (
          <li key={title}>
            <button type="button" onClick={onClick} className={rowClass}>
              <RowContent title={title} text={text} icon={icon} />
            </button>
          </li>
        ))}
      </ul>
      {preferences.dialog}
    </Card>
  )
}

/** An additional card that the specification does not name. */
export function CategoriesCard() {
  return (
    <section aria-label={profileCopy.categories.title} className="rounded-lg border border-line bg-surface">
      <Link to="/categorias" className={`${rowClass} rounded-lg`}>
        <RowContent {...profileCopy.categories} icon={Tag} />
      </Link>
    </section>
  )
}

const themes: readonly Theme[] = ['system', 'light', 'dark']

export function ThemeCard() {
  const [theme, setTheme] = useTheme()
  return (
    <Card title={profileCopy.themeTitle}>
      <fieldset className="theme-choices grid gap-2 p-4 sm:px-6">
        <legend className="sr-only">{profileCopy.themeTitle}</legend>
        {themes.map((value) => (
          <label
            key={value}
            className="grid min-h-11 place-items-center rounded-md border border-control px-2 text-center text-sm font-medium transition-colors hover:bg-sunken"
          >
            <input
              type="radio"
              name="theme"
              value={value}
              checked={theme === value}
              onChange={() => setTheme(value)}
              className="sr-only"
            />
            {profileCopy.themes[value]}
          </label>
        ))}
      </fieldset>
    </Card>
  )
}

const links = [
  { to: '/cuentas', label: profileCopy.accounts, icon: WalletCards },
  { to: '/documentos', label: profileCopy.documents, icon: FileText },
  { to: '/soporte', label: profileCopy.support, icon: LifeBuoy },
] as const

/** Links to the sections that do not fit into a phone's bottom bar. */
export function MoreCard() {
  return (
    <div className="lg:hidden">
      <Card title={profileCopy.moreTitle}>
        <ul className="divide-y divide-line">
          {links.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex min-h-14 items-center gap-4 px-4 font-medium hover:bg-sunken sm:px-6"
              >
                <Icon aria-hidden="true" className="size-5 shrink-0 text-primary" strokeWidth={1.75} />
                <span className="min-w-0 flex-1 wrap-anywhere">{label}</span>
                <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
