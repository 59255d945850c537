import { t } from '@lingui/core/macro'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { site } from '~/lib/site'
import { Brand } from '~/ui/Brand'
import { ForecourtDrawing } from './ForecourtDrawing'
import { LanguageChoice } from './LanguageChoice'

/** Whether the sign-in page that is being replaced by another one has the focus. */
let hadFocus = false

type Props = { title: string; subtitle: ReactNode; children: ReactNode }

/** The layout of the sign-in pages: the form on the left, an illustration on the right if there is space. */
export function AuthLayout({ title, subtitle, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  // The first page of each load has this key, until it changes its URL. It also has it when the user comes back to it.
  const [isFirst] = useState(key === 'default')
  useLayoutEffect(() => {
    // What opened this page is gone. Some pages focus a field or a link of theirs instead.
    const isOpened = !isFirst || hadFocus
    if (isOpened && document.activeElement === document.body) heading.current?.focus()
    return () => {
      hadFocus = document.activeElement !== document.body
      // The page that replaces this one is shown in the same render.
      queueMicrotask(() => {
        hadFocus = false
      })
    }
  }, [isFirst])
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(30rem,5fr)_6fr]">
      <div className="flex flex-col px-5 py-6 sm:px-10 sm:py-10">
        <header>
          <Brand name={site.brand} />
        </header>
        <main className="m-auto w-full max-w-sm py-10">
          <h1
            ref={heading}
            tabIndex={-1}
            className="text-2xl leading-8 font-semibold tracking-tight outline-none"
          >
            {title}
          </h1>
          <p className="mt-1 mb-7 text-muted">{subtitle}</p>
          {children}
        </main>
        <footer className="flex flex-wrap items-center justify-between gap-x-6 text-xs text-muted">
          <span>{t`Sign-in is protected by a one-time code.`}</span>
          <LanguageChoice />
        </footer>
      </div>
      <ForecourtDrawing />
    </div>
  )
}
