import type { Change, FaultContext } from './wallet-fault.ts'

/** A value, or how it comes out of what stands there. `undefined` leaves the member out. */
export type MemberChange = unknown | ((current: unknown, context: FaultContext) => unknown)

/** Paths with dots, such as `vp.type`, each with what is to stand there. */
export type MemberChanges = Readonly<Record<string, MemberChange>>

/** A deviation that sets members of a form or a body, and leaves everything else. */
export function setMembers<Value extends object>(changes: MemberChanges): Change<Value> {
  return {
    members: Object.keys(changes),
    apply: (value, context) => changeMembers(value, changes, context),
  }
}

/** The value with members set; what is left out by `undefined` is gone. */
export function changeMembers<Value extends object>(
  value: Value,
  changes: MemberChanges,
  context: FaultContext,
): Value {
  return Object.entries(changes).reduce<Value>(
    (changed, [path, change]) => changeMember(changed, path.split('.'), change, context) as Value,
    value,
  )
}

function changeMember(
  value: unknown,
  [name, ...path]: readonly string[],
  change: MemberChange,
  context: FaultContext,
): unknown {
  if (name === undefined) return typeof change === 'function' ? change(value, context) : change
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >
  copy[name] = changeMember(copy[name], path, change, context)
  if (copy[name] === undefined) delete copy[name]
  return copy
}

/** Several deviations of one stage in one. */
export function allOf<Value>(...changes: readonly Change<Value>[]): Change<Value> {
  return {
    members: changes.flatMap(({ members }) => members),
    apply: (value, context) =>
      changes.reduce((changed, { apply }) => apply(changed, context), value),
  }
}
