import { type MemberChanges, setMembers } from './set-members.ts'
import type { Change, FaultContext, JwsDraft } from './wallet-fault.ts'

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
