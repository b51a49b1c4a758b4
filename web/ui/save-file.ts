export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // After a minute the download has started, so the file's memory can be released.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
