// Removes what an earlier test file in the same worker process left in the document, in the storage and in the URL, and
// clears the page after each test.
import { setTimeout } from 'node:timers/promises'
import { configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { clearPage } from './page.ts'

// Testing Library's default timeout of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 15_000 })

const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } }

// A step back in the browser history takes effect in a later task, and can leave the document without a URL.
await setTimeout(10)
happyDOM.setURL('http://localhost:3000/')

document.head.replaceChildren()
document.body.replaceChildren()
for (const { name } of Array.from(document.documentElement.attributes))
  document.documentElement.removeAttribute(name)
localStorage.clear()
sessionStorage.clear()

afterEach(clearPage)
