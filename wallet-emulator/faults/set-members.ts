import type { Change, FaultContext, JwsDraft } from './wallet-fault.ts'

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

const below = (name: string, changes: MemberChanges) =>
  Object.fromEntries(Object.entries(changes).map(([path, change]) => [`${name}.${path}`, change]))

/** A deviation that sets members of the header. */
export const setHeader = (changes: MemberChanges): Change<JwsDraft> =>
  setMembers(below('header', changes))

/** A deviation that sets members of the payload. */
export const setPayload = (changes: MemberChanges): Change<JwsDraft> =>
  setMembers(below('payload', changes))

/** A time in a payload: Unix seconds, so many from now. */
export const secondsFromNow =
  (seconds: number) =>
  (_: unknown, { now }: FaultContext): number =>
    now + seconds

/** A deviation of the signature alone: it gets the good one, and what was signed. */
export function changeSignature(
  change: (signature: Uint8Array, signingInput: string, context: FaultContext) => Uint8Array,
): Change<JwsDraft> {
  return {
    members: ['signature'],
    apply: (draft, context) => ({
      ...draft,
      sign: (signingInput) => change(draft.sign(signingInput), signingInput, context),
    }),
  }
}
