// Gives each test file new instances of the modules of this repository, so that no file sees the module state that an
// earlier file in the same worker process left behind. Libraries stay loaded.
import { vi } from 'vitest'

vi.resetModules()
