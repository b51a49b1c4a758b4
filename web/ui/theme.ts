import { readStored, writeStored } from '#storage/device-storage.ts'
import { createStore } from './store.ts'

export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'finanzas-theme'
const chosen = createStore(readTheme)

/** Applies the stored theme. The page calls the function before the first paint. */
export function applyTheme(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Returns the theme stored on this device, and a function that changes the theme. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [chosen.useValue(), writeTheme]
}

function readTheme(): Theme {
  const stored = readStored(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function writeTheme(theme: Theme): void {
  writeStored(storageKey, theme === 'system' ? null : theme)
  applyTheme()
  chosen.announce()
}
