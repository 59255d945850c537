import { CloudOff, TriangleAlert } from 'lucide-react'
import { useRevalidator, useRouteError } from 'react-router'
import { problemOf } from '~/lib/problem'
import { useTitle } from '~/lib/title'
import { Button } from '~/ui/Button'
import { State } from '~/ui/State'

/** What shows when a page as a whole can't be shown. */
export function Fault() {
  const error = useRouteError()
  const problem = problemOf(error)
  const { revalidate, state } = useRevalidator()
  useTitle('Something went wrong')
  const again = () => {
    // A refusal may be over at the next try; anything else needs the page anew.
    if (problem) void revalidate()
    else location.reload()
  }
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <State
        urgent
        icon={problem?.status === 0 ? <CloudOff className="size-6" /> : <TriangleAlert className="size-6" />}
        title="This page could not be loaded"
        action={
          <Button kind="primary" busy={state === 'loading'} onClick={again}>
            Try Again
          </Button>
        }
      >
        {problem?.message ?? 'Reload the page. If that does not help, tell your administrator.'}
      </State>
    </div>
  )
}

/** The same where no page stands around it. */
export function WholeFault() {
  return (
    <main>
      <Fault />
    </main>
  )
}
