import type { ReactNode } from 'react'
import { configuration } from '#api/configuration.ts'
import { BrandMark } from '#ui/brand-mark.tsx'
import { Guilloche } from '#ui/plate.tsx'
import { authCopy } from './copy.ts'

type Props = {
  documentTitle: string
  headline: string
  intro: string
  children: ReactNode
}

/**
 * Layout of the pages that are shown before the sign-in: an engraved plate on one side, and the form on the other side.
 */
export function AuthFrame({ documentTitle, headline, intro, children }: Props) {
  return (
    <div className="grid min-h-svh grid-cols-1 grid-rows-[auto_1fr] md:grid-cols-[1.1fr_1fr] md:grid-rows-1">
      <title>{documentTitle}</title>
      <Plate />
      <main className="flex items-start justify-center px-5 py-10 sm:px-10 sm:py-16 md:items-center">
        <div className="w-full max-w-sm">
          <div aria-hidden="true" className="engraved-border mb-5 w-14" />
          <h1 className="text-2xl wrap-anywhere font-semibold tracking-tight">{headline}</h1>
          <p className="mt-2 mb-8 text-muted wrap-anywhere">{intro}</p>
          {children}
        </div>
      </main>
    </div>
  )
}

function Plate() {
  const { brandName } = configuration()
  return (
    <header className="relative isolate flex min-h-40 flex-col justify-between overflow-hidden bg-vault p-6 text-on-vault sm:p-10 lg:p-14">
      <Guilloche className="top-1/2 left-full size-[26rem] -translate-x-[62%] -translate-y-1/2 lg:top-[58%] lg:size-[62rem] lg:-translate-x-[58%]" />
      <div
        aria-hidden="true"
        className="absolute inset-2 -z-10 rounded-[0.5rem] border border-brass-bright/35 lg:inset-5"
      />
      <div className="flex items-center gap-3 text-lg font-semibold">
        <BrandMark className="size-9" />
        {brandName}
      </div>
      <p className="hidden max-w-sm text-2xl leading-snug font-medium text-balance md:block">
        {authCopy.tagline}
      </p>
    </header>
  )
}
