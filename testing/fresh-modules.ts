// Gives each test file new instances of the modules of this repository, so that no file sees the module state that an
// earlier file in the same worker process left behind. Libraries stay loaded. The stubs that a file creates are removed
// after its tests.
import { afterAll, vi } from 'vitest'

vi.resetModules()

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
