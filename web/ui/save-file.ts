/** Saves a file on the user's device. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // After a minute the download has started, so the file's memory can be released.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Shares a file with another app of the device. Saves the file if the browser cannot share files. */
export async function shareFile(name: string, content: Blob): Promise<void> {
  const shared = { files: [new File([content], name, { type: content.type })] }
  // Some browsers lack these functions, although their types do not say so.
  const browser: Partial<Pick<Navigator, 'canShare' | 'share'>> = navigator
  if (browser.share === undefined || browser.canShare?.(shared) !== true) {
    saveFile(name, content)
    return
  }
  try {
    await browser.share(shared)
  } catch (error) {
    // The user has closed the browser's dialog. After any other failure, the user still gets the file.
    if (!(error instanceof DOMException && error.name === 'AbortError')) saveFile(name, content)
  }
}
