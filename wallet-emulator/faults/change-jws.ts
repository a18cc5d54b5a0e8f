import { createHmac } from 'node:crypto'
import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { createSignature } from '#core/crypto/jws.ts'
import type { SigningAlgorithm } from '#core/crypto/suites.ts'
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

/** Flips one bit in the middle of the signature. */
export const breakSignature = changeSignature((signature) => {
  const broken = Uint8Array.from(signature)
  const middle = broken.length >> 1
  broken[middle] = (broken[middle] ?? 0) ^ 1
  return broken
})

/** A valid signature of another holder's key, of the same curve. */
export const signByOther = changeSignature((_, signingInput, { otherAccount }) =>
  createSignature(otherAccount.algorithm, otherAccount.privateKey, Buffer.from(signingInput)),
)

/** The two numbers of an ES256K signature in ASN.1, the form of OpenSSL. */
export const encodeAsDer = changeSignature((signature) => {
  const numbers = [signature.subarray(0, 32), signature.subarray(32)].map(encodeDerInteger)
  const length = numbers.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([Buffer.of(0x30, length), ...numbers])
})

const secp256k1Order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The higher of the two valid values of s; the wallet itself uses the lower one. */
export const useHighS = changeSignature((signature) => {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`)
  const high = (secp256k1Order - s).toString(16).padStart(64, '0')
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(high, 'hex')])
})

const ed25519Order = 2n ** 252n + 27742317777372353535851937790883648493n

/** The number S of an EdDSA signature with the order of the group added (RFC 8032, 5.1.7). */
export const addOrderToS = changeSignature((signature) => {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`)
  const sum = (s + ed25519Order).toString(16).padStart(64, '0')
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(sum, 'hex').reverse()])
})

/** No signature, with alg none. */
export const signNothing = allOf(
  setHeader({ alg: 'none' }),
  changeSignature(() => Buffer.alloc(0)),
)

/** A MAC with the public key as the secret, which deceives verifiers that accept any algorithm. */
export const signByHmac = allOf(
  setHeader({ alg: 'HS256' }),
  changeSignature((_, signingInput, { account }) =>
    createHmac('sha256', Buffer.from(account.privateKey.x ?? '', 'base64url'))
      .update(signingInput)
      .digest(),
  ),
)

/** The algorithm of the other curve in the header, with the signature of the actual key. */
export const nameOtherAlgorithm = setHeader({
  alg: (current: unknown) => (current === 'EdDSA' ? 'ES256K' : 'EdDSA'),
})

function encodeDerInteger(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.subarray(start)
  // If the first bit is set, the number would be negative.
  const sign = (digits[0] ?? 0) > 0x7f ? [0] : []
  return Buffer.from([0x02, digits.length + sign.length, ...sign, ...digits])
}

export interface Signer {
  readonly did: string
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly privateKey: PrivateJwk
}

/** Another holder makes the statement, with a valid signature of that holder's key. */
export function signAs(signerOf: (context: FaultContext) => Signer): Change<JwsDraft> {
  return {
    members: ['header.alg', 'header.kid', 'payload.iss', 'signature'],
    apply: ({ header, payload }, context) => {
      const { did, kid, algorithm, privateKey } = signerOf(context)
      return {
        header: { ...header, alg: algorithm, kid },
        payload: { ...payload, iss: did },
        sign: (signingInput) => createSignature(algorithm, privateKey, Buffer.from(signingInput)),
      }
    },
  }
}
