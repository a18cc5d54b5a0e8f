import type { Clock } from '#kit/runtime.ts'

/** A clock that can be moved, for our own code and for libraries that read `Date` themselves. */
export interface MovableClock extends Clock {
  /** Milliseconds by which it differs from the machine's clock. */
  readonly offset: number
  /** Moves it forward (or back) by so many seconds. */
  advance(seconds: number): void
  /** So many milliseconds away from the machine's clock; 0 is real time. */
  moveTo(offset: number): void
  /** Gives `Date` back; may be called twice. */
  uninstall(): void
}

const RealDate = globalThis.Date

let offset = 0
let installed = 0

/**
 * The one sanctioned override of `Date`: without arguments it tells the moved time, everything
 * else is as ever. Timers are not touched.
 */
class MovedDate extends RealDate {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(RealDate.now() + offset)
    else super(...(values as [number]))
  }

  static override now(): number {
    return RealDate.now() + offset
  }
}

function install(): void {
  // A call without `new` gives text, which a class cannot.
  globalThis.Date = new Proxy(MovedDate, {
    apply: () => new MovedDate().toString(),
  }) as DateConstructor
}

/**
 * Installs the movable clock. It belongs to the process: whoever installs it while it is already
 * there gets the same one, and `Date` is given back with the last `uninstall`.
 */
export function installMovableClock(): MovableClock {
  if (installed === 0) install()
  installed += 1
  let mine = true
  const milliseconds = () => RealDate.now() + offset
  return {
    get offset() {
      return offset
    },
    milliseconds,
    seconds: () => Math.floor(milliseconds() / 1000),
    advance(seconds) {
      offset += seconds * 1000
    },
    moveTo(milliseconds) {
      offset = milliseconds
    },
    uninstall() {
      if (!mine) return
      mine = false
      installed -= 1
      if (installed > 0) return
      offset = 0
      globalThis.Date = RealDate
    },
  }
}
