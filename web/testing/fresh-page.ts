// Removes what an earlier test file in the same worker process left in the document, in the storage and in the URL.
import { setTimeout } from 'node:timers/promises'

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
