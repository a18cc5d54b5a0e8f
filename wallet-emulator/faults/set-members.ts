import type { Change, FaultContext, JwsDraft } from './wallet-fault.ts'

/** A value, or a function of the current value. `undefined` removes the member. */
export type MemberChange = unknown | ((current: unknown, context: FaultContext) => unknown)

/** Paths with dots, such as `vp.type`, each with its change. */
export type MemberChanges = Readonly<Record<string, MemberChange>>

/** Sets members of a form or a body and keeps everything else. */
export function setMembers<Value extends object>(changes: MemberChanges): Change<Value> {
  return {
    members: Object.keys(changes),
    apply: (value, context) => changeMembers(value, changes, context),
  }
}

/** Returns the value with members set, or removed if the change is `undefined`. */
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

/** Combines several changes of one stage. */
export function allOf<Value>(...changes: readonly Change<Value>[]): Change<Value> {
  return {
    members: changes.flatMap(({ members }) => members),
    apply: (value, context) =>
      changes.reduce((changed, { apply }) => apply(changed, context), value),
  }
}

const below = (name: string, changes: MemberChanges) =>
  Object.fromEntries(Object.entries(changes).map(([path, change]) => [`${name}.${path}`, change]))

/** Sets members of the header. */
export const setHeader = (changes: MemberChanges): Change<JwsDraft> =>
  setMembers(below('header', changes))

/** Sets members of the payload. */
export const setPayload = (changes: MemberChanges): Change<JwsDraft> =>
  setMembers(below('payload', changes))

/** A time in a payload: Unix seconds, relative to now. */
export const secondsFromNow =
  (seconds: number) =>
  (_: unknown, { now }: FaultContext): number =>
    now + seconds

/** Changes only the signature; `change` gets the valid signature and the signing input. */
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
