import { randomUUID } from 'node:crypto'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { similarDids } from '../kit/near-misses.ts'
import type { Party, TrustWorld } from './create-trust-world.ts'
import {
  type DefectiveIssuer,
  type DefectiveIssuerName,
  defectiveIssuers,
} from './defects/defect.ts'

const hour = 3600
const day = 24 * hour

/** Registers a new, valid issuer under the TAO of a trust world: a TI, or a TAO. */
export function registerIssuer(
  world: TrustWorld,
  { parent = world.tao, issuerType = 'TI' }: { parent?: Party; issuerType?: 'TI' | 'TAO' } = {},
): Party {
  const issuer = world.createParty(`issuer ${randomUUID()}`)
  world.publish(issuer, parent, issuerType)
  return issuer
}

/** Registers a new issuer with this number of TAOs between it and the root of a trust world. */
export function registerBelow(world: TrustWorld, taos: number): Party {
  let parent = world.tao
  for (let count = 1; count < taos; count++) {
    parent = registerIssuer(world, { parent, issuerType: 'TAO' })
  }
  return registerIssuer(world, { parent })
}

/** Registers an organization without an accreditation, whose DID is similar to that of a party. */
export function registerSimilar(
  world: TrustWorld,
  party: Party,
  change = (did: string) => `${did}2`,
): Party {
  const did = change(party.did)
  const own = world.createParty(`similar ${randomUUID()}`)
  const similar = { ...own, did, kid: own.kid.replace(/^[^#]*/, did) }
  world.use(similar.kid, similar.privateKey, 'assertionMethod')
  return similar
}

/**
 * Accredits DIDs that are similar to that of a party, and have no DID document. Returns for each the
 * address of its accreditation, and how a credential of the party names it as its issuer.
 */
export function accreditSimilar(world: TrustWorld, party: Party) {
  return similarDids.map(({ what, change }) => {
    const did = change(party.did)
    const similar = { ...party, did }
    world.publish(similar, world.tao, 'TI')
    const url = createTermsOfUseUrl(world.policy.tirBaseUrl, similar)
    const termsOfUse = { id: url, type: 'TrustedIssuersRegistryEntry' }
    return { what, url, change: () => ({ claims: { iss: did }, vc: { issuer: did, termsOfUse } }) }
  })
}

/** Registers a new issuer with a defect in a trust world, and the organizations above it. */
export function registerDefectiveIssuer(world: TrustWorld, name: DefectiveIssuerName): Party {
  const spec = defectiveIssuers[name]
  const own = world.createParty(`${name} ${randomUUID()}`)
  limitKey(world, own, spec)
  const parent = parentOf(world, own, name, spec)
  const { issuerType = 'TI' } = spec
  const { attribute } = world.publish(
    own,
    parent,
    issuerType === 'ROOT_TAO' ? 'RTAO' : issuerType,
    createBody(world, own, parent, spec),
  )
  if (issuerType === 'ROOT_TAO') attribute.rootTao = own.did
  if (spec.revoked) attribute.issuerType = 'REVOKED'
  if (spec.parentRevoked) world.attributeOf(parent).attribute.issuerType = 'REVOKED'
  return own
}

function parentOf(
  world: TrustWorld,
  own: Party,
  name: DefectiveIssuerName,
  { parent }: DefectiveIssuer,
): Party {
  if (parent === undefined) return world.tao
  return parent === name ? own : registerDefectiveIssuer(world, parent)
}

function limitKey(
  { usesOf, now }: TrustWorld,
  { did, kid }: Party,
  { key }: DefectiveIssuer,
): void {
  const uses = usesOf(did)
  for (const use of uses.filter((each) => each.kid === kid)) {
    if (key === 'revoked') use.notAfter = now - hour
    if (key === 'not-for-assertions' && use.relationship === 'assertionMethod') {
      uses.splice(uses.indexOf(use), 1)
    }
  }
}

function createBody(
  { accreditationOf, sign, now, tao }: TrustWorld,
  own: Party,
  parent: Party,
  { accreditation, types }: DefectiveIssuer,
): string {
  const signer = accreditation === 'self-signed' ? own : parent
  const subject = accreditation === 'about-another' ? { ...own, did: tao.did } : own
  const attributeId =
    accreditation === 'for-another-attribute' ? 'ab'.repeat(32) : subject.attributeId
  const good = accreditationOf({ ...subject, attributeId }, signer, types && [...types])
  const { validUntil: _, ...vc } = good.vc
  return sign(accreditation === 'expired' ? { ...good, exp: now - day, vc } : good, signer)
}
