import { Loading } from '~/ui/Skeleton'

const column = [5, 2]
const lines = (count: number) => Array.from({ length: count }, (_, line) => line)

export function SettingsSkeleton() {
  return (
    <Loading className="grid gap-4">
      <div className="card flex items-center gap-4 p-5">
        <div className="skeleton size-20 rounded-full!" />
        <div className="grid flex-1 gap-3">
          <div className="skeleton h-5 w-1/3" />
          <div className="skeleton h-3.5 w-1/2" />
        </div>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {['left', 'right'].map(side => (
          <div key={side} className="grid content-start gap-4">
            {column.map(rows => (
              <div key={rows} className="card p-5">
                <div className="skeleton mb-6 h-3.5 w-1/4" />
                {lines(rows).map(line => (
                  <div key={line} className="skeleton mb-5 h-3.5" />
                ))}
              </div>
            ))}
          </div>
        ))}
      </div>
    </Loading>
  )
}
