import { Card } from '#ui/card.tsx'
import { useTheme, type Theme } from '#ui/theme.ts'
import { profileCopy } from './copy.ts'

const themes: readonly Theme[] = ['system', 'light', 'dark']

/** The choice between the light and the dark scheme, remembered on this device. */
export function ThemeCard() {
  const [theme, setTheme] = useTheme()
  return (
    <Card title={profileCopy.themeTitle}>
      <fieldset className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2 p-4 sm:px-6">
        <legend className="sr-only">{profileCopy.themeTitle}</legend>
        {themes.map((value) => (
          <label
            key={value}
            className="grid min-h-11 place-items-center rounded-md border border-control px-2 text-center text-sm font-medium transition-colors hover:bg-sunken has-checked:border-primary has-checked:bg-primary-soft has-checked:text-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
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
