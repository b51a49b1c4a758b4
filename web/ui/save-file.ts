export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then; the memory is given back.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
