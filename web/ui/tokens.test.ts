import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const tokens = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')

/** Minimum contrast ratio of meaningful lines and bars (WCAG 1.4.11). */
const graphicContrastMin = 3

test.each(['canvas', 'surface', 'raised', 'sunken', 'warning-soft'])(
  'the brass has enough contrast on %s in both schemes',
  (ground) => {
    const [brass, behind] = [coloursOf('brass'), coloursOf(ground)]

    for (const [scheme, colour] of brass.entries()) {
      expect(contrast(colour, behind[scheme] ?? '')).toBeGreaterThanOrEqual(graphicContrastMin)
    }
  },
)

/** Returns a token's colours in the light and the dark scheme. */
function coloursOf(name: string): string[] {
  const [, light, dark] =
    new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? []
  if (light === undefined || dark === undefined) throw new Error(`No token is called ${name}.`)
  return [light, dark]
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(colour.slice(from, from + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
