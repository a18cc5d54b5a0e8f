import type { Clock } from '#kit/runtime.ts'

/** A clock that can be moved, for our own code and for libraries that read `Date` themselves. */
export interface MovableClock extends Clock {
  /** Difference from the machine's clock, in milliseconds. */
  readonly offset: number
  /** Moves it forward (or back) by this many seconds. */
  advance(seconds: number): void
  /** Sets the difference from the machine's clock, in milliseconds; 0 is real time. */
  moveTo(offset: number): void
  /** Restores `Date`; can be called twice. */
  uninstall(): void
}

const RealDate = globalThis.Date

let offset = 0
let installed = 0

/**
 * The only permitted override of `Date`: without arguments it returns the moved time, otherwise it
 * behaves as usual. Timers are unchanged.
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
  // A call without `new` returns a string, which a class cannot do.
  globalThis.Date = new Proxy(MovedDate, {
    apply: () => new MovedDate().toString(),
  }) as DateConstructor
}

/**
 * Installs the movable clock. It belongs to the process: further calls return the same clock, and
 * the last `uninstall` restores `Date`.
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
