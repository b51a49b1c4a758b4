import { afterEach, expect, test, vi } from 'vitest'
import { shareFile } from './save-file.ts'

const saved = vi.fn()
const shared = vi.fn<(data: ShareData) => Promise<void>>()

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  saved.mockReset()
  shared.mockReset()
})

function open(browser: object): void {
  vi.stubGlobal('navigator', browser)
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved(this.download)
  })
}

const send = () => shareFile('recibo.pdf', new Blob(['x'], { type: 'application/pdf' }))

test('a browser that can share files shares the file under its name', async () => {
  open({ canShare: () => true, share: shared.mockResolvedValue() })
  await send()

  expect(shared.mock.calls[0]?.[0].files?.map(({ name, type }) => [name, type])).toEqual([
    ['recibo.pdf', 'application/pdf'],
  ])
  expect(saved).not.toHaveBeenCalled()
})

test.each([
  ['cannot share', {}],
  ['cannot share files', { canShare: () => false, share: shared }],
])('a browser that %s saves the file', async (_, browser) => {
  open(browser)
  await send()

  expect(saved).toHaveBeenCalledWith('recibo.pdf')
  expect(shared).not.toHaveBeenCalled()
})

test('a closed dialog of the browser saves nothing', async () => {
  open({ canShare: () => true, share: shared.mockRejectedValue(new DOMException('', 'AbortError')) })
  await send()

  expect(saved).not.toHaveBeenCalled()
})

test('a file that the browser refuses to share is saved', async () => {
  open({ canShare: () => true, share: shared.mockRejectedValue(new DOMException('', 'NotAllowedError')) })
  await send()

  expect(saved).toHaveBeenCalledWith('recibo.pdf')
})
