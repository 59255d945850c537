const COLUMNS = 8
const ROWS = 6
const LANE = 110
const BAY = { width: 96, height: 168 }

// The numbers of the parking bays without a car, and of the bay with the highlighted car.
const empty = new Set([2, 9, 13, 18, 23, 27, 30, 36, 41, 45])
const chosen = 20

function Car({ x, y, look }: { x: number; y: number; look: string }) {
  return (
    <g transform={`translate(${x} ${y})`} className={look}>
      <rect width="56" height="118" rx="17" />
      <path d="M9 38q19-11 38 0l-4 15H13z" className="fill-card opacity-55" />
      <path d="M13 92h30l3 10q-18 7-36 0z" className="fill-card opacity-40" />
      <path d="M5 44l5 12v32l-5 8zM51 44l-5 12v32l5 8z" className="fill-card opacity-25" />
    </g>
  )
}

/** A decorative drawing of a forecourt from above. */
export function ForecourtDrawing() {
  const bays = Array.from({ length: COLUMNS * ROWS }, (_, index) => ({
    index,
    x: (index % COLUMNS) * BAY.width,
    // After every second row of bays there is a lane.
    y: Math.floor(index / COLUMNS) * BAY.height + Math.floor(index / COLUMNS / 2) * LANE,
  }))
  const width = COLUMNS * BAY.width
  const height = ROWS * BAY.height + (ROWS / 2 - 1) * LANE
  return (
    <div aria-hidden className="relative hidden overflow-hidden bg-soft lg:block">
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full origin-center scale-125 -rotate-12"
      >
        {bays.map(({ index, x, y }) => (
          <g key={index}>
            <path
              d={`M${x} ${y + 14}v${BAY.height - 28}`}
              className="stroke-accent opacity-25"
              strokeWidth="3"
            />
            {!empty.has(index) && (
              <Car x={x + 20} y={y + 25} look={index === chosen ? 'fill-fill' : 'fill-accent opacity-20'} />
            )}
          </g>
        ))}
      </svg>
    </div>
  )
}
