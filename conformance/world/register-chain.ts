import { randomBytes } from 'node:crypto'
import type { createAccreditation } from '#core/trust/accreditation.ts'
import type { Party, TrustWorld } from './create-trust-world.ts'
import type { SignDraft } from './defects/defect.ts'

/** Whose accreditation it is, from the issuer upwards. */
export type AccreditedParty = 'issuer' | 'TAO' | 'root'

/** An accreditation before it is signed. */
interface AccreditationDraft {
  readonly world: TrustWorld
  readonly subject: Party
  /** Who accredits, and signs unless the defect says otherwise. */
  readonly parent: Party
  readonly payload: ReturnType<typeof createAccreditation>
}

type Attribute = ReturnType<TrustWorld['publish']>['attribute']

/** One thing that is wrong with an accreditation, or with the answer of the TIR about it. */
export interface AccreditationDefect {
  /** What is wrong, to follow the name of the accreditation: `was signed by the wrong key`. */
  readonly what: string
  /** Replaces the payload. */
  readonly payload?: (draft: AccreditationDraft) => object
  /** Members of the header; undefined removes one. */
  readonly header?: (draft: AccreditationDraft) => object
  /** The key that signs, and its kid. By default that of the parent. */
  readonly signer?: (draft: AccreditationDraft) => Pick<Party, 'kid' | 'privateKey'>
  /** How it is signed. */
  readonly sign?: SignDraft
  /** A change of the signed accreditation. */
  readonly afterwards?: (body: string, draft: AccreditationDraft) => string
  /** Changes what the TIR answers. */
  readonly answer?: (
    entry: { did: string; attribute: Attribute },
    draft: AccreditationDraft,
  ) => void
}

const newId = () => randomBytes(32).toString('hex')

/**
 * Registers a new issuer in a trust world. Its own accreditation, that of the TAO above it, or that
 * of the root has a defect; without a defect the chain is valid. No other chain changes.
 */
export function registerChain(
  world: TrustWorld,
  whose: AccreditedParty,
  defect: Omit<AccreditationDefect, 'what'> = {},
): Party {
  const { root, tao } = world
  const top = whose === 'root' ? { ...root, attributeId: newId() } : root
  if (whose === 'root')
    publishWith(world, { subject: top, parent: top, issuerType: 'RTAO' }, defect)
  const middle = whose === 'issuer' ? tao : world.createParty(`tao ${newId()}`)
  if (whose !== 'issuer') {
    publishWith(
      world,
      { subject: middle, parent: top, issuerType: 'TAO' },
      whose === 'TAO' ? defect : {},
    )
  }
  const issuer = world.createParty(`issuer ${newId()}`)
  publishWith(
    world,
    { subject: issuer, parent: middle, issuerType: 'TI' },
    whose === 'issuer' ? defect : {},
  )
  return issuer
}

/**
 * Registers a new issuer below a second accreditation of the root, with the role TAO. Above it is
 * the accreditation of the root as such, with a defect.
 */
export function registerBelowRootAsTao(
  world: TrustWorld,
  defect: Omit<AccreditationDefect, 'what'>,
): Party {
  const top = { ...world.root, attributeId: newId() }
  publishWith(world, { subject: top, parent: top, issuerType: 'RTAO' }, defect)
  const parent = { ...world.root, attributeId: newId() }
  publishWith(world, { subject: parent, parent: top, issuerType: 'TAO' }, {})
  const issuer = world.createParty(`issuer ${newId()}`)
  publishWith(world, { subject: issuer, parent: parent, issuerType: 'TI' }, {})
  return issuer
}

/** One accreditation of a chain. */
interface Link {
  readonly subject: Party
  readonly parent: Party
  readonly issuerType: 'RTAO' | 'TAO' | 'TI'
}

function publishWith(
  world: TrustWorld,
  { subject, parent, issuerType }: Link,
  { payload, header, signer, sign, afterwards, answer }: Omit<AccreditationDefect, 'what'>,
): void {
  const draft = { world, subject, parent, payload: world.accreditationOf(subject, parent) }
  const by = signer?.(draft) ?? parent
  const content = payload?.(draft) ?? draft.payload
  const members = { alg: 'ES256K' as const, typ: 'JWT', kid: by.kid, ...header?.(draft) }
  const signed = sign?.(members, content, by.privateKey) ?? world.sign(content, by, members)
  const entry = world.publish(subject, parent, issuerType, afterwards?.(signed, draft) ?? signed)
  answer?.(entry, draft)
}
