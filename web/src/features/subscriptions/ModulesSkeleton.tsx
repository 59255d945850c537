import { Loading } from '~/ui/Skeleton'

export function ModulesSkeleton() {
  return (
    <Loading>
      <div className="skeleton mb-4 h-4 w-24" />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {['one', 'two', 'three'].map(card => (
          <div key={card} className="card p-5">
            <div className="skeleton mb-4 size-10 rounded-lg!" />
            <div className="skeleton mb-3 h-4 w-1/2" />
            <div className="skeleton h-3.5 w-4/5" />
          </div>
        ))}
      </div>
    </Loading>
  )
}
