import type { Power } from '#core/power/power.ts'
import type { Portal } from '../open-portal.ts'

/** A power out of what may be granted: of the first one the first action alone. */
export function smallPower({ power }: Portal): readonly Power[] {
  const [first] = power
  return first ? [{ ...first, action: first.action.slice(0, 1) }] : []
}
