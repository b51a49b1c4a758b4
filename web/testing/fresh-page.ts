// Removes what an earlier test file in the same worker process left in the document, in the storage and in the URL.
document.head.replaceChildren()
document.body.replaceChildren()
for (const { name } of Array.from(document.documentElement.attributes))
  document.documentElement.removeAttribute(name)
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
