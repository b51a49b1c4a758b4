/** The open dialogs. The last dialog in the list is the topmost dialog. */
const panels: HTMLElement[] = []

/** Makes the page and every other dialog inert until the returned function is called. */
export function openModal(panel: HTMLElement): () => void {
  panels.push(panel)
  settle()
  return () => {
    panels.splice(panels.indexOf(panel), 1)
    settle()
  }
}

export function isOnTop(panel: HTMLElement | null): boolean {
  return panels.at(-1) === panel
}

function settle(): void {
  const root = document.getElementById('root')
  if (root !== null) root.inert = panels.length > 0
  for (const panel of panels) panel.inert = !isOnTop(panel)
}
