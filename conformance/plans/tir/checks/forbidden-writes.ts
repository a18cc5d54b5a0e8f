import { randomBytes } from 'node:crypto'
import type { Signer } from '#core/ethereum/account.ts'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import { endCheck, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { Accreditor, TirContext } from '../context.ts'
import { addData, metadataOf, publish, signBody } from '../publications.ts'
import { attemptBy, attemptEach, byEach, refusesWrites } from '../refused-writes.ts'

interface Powerless {
  /** Who accredited the organization. */
  readonly by: Accreditor
  /** An attribute of the organization that does not let it accredit. */
  readonly own: AttributeMetadata
  readonly signer: Signer
}

/** Publications below such an attribute, before and after the organization gets one as a TAO. */
function attemptsBelow({ tir, environment }: TirContext, { by, own, signer }: Powerless) {
  const metadata = metadataOf(own, environment)
  const other = { ...metadataOf(by, environment, 'TAO'), did: own.did }
  return {
    attribute: metadata,
    async attempt() {
      const first = await tir.attemptMetadata(metadata, signer)
      if (first.isApplied) return first
      await asPremise('accrediting a TAO (see T02)', tir.writeMetadata(other, by.signer))
      return tir.attemptMetadata(metadata, signer)
    },
    allowed: () => tir.attemptMetadata(metadataOf(other, environment), signer),
  }
}

/** The second TAO, and an attribute that it has published. */
async function otherTaos({ tir, environment, otherAccreditor }: TirContext) {
  const tao = await otherAccreditor()
  const below = metadataOf(tao, environment)
  const publishing = tir.writeMetadata(below, tao.signer)
  await asPremise('publishing an attribute (see T04)', publishing)
  return { tao, below }
}

export const checks = refusesWrites({
  'T06-root-by-another': {
    title: 'Only the operator can publish a ROOT_TAO',
    level: 'spec',
    rows: ['2.resources-and-their-fields/types-used-in-the-tir.4'],
    description: 'An organization that makes itself a root can accredit any issuer.',
    fix: 'Require in the contract that the sender of a ROOT_TAO is the operator. Otherwise revert.',
    needs: ['accreditor'],
    what: 'A ROOT_TAO by an account other than the operator, for its own or another DID',
    async prepare({ tir, environment, accreditor, outsiders }) {
      const by = await accreditor()
      const metadata = metadataOf(by, environment, 'ROOT_TAO')
      const signers = { 'a TAO': by.signer, ...outsiders() }
      return {
        attribute: metadata,
        attempt: async () => {
          const own = await tir.attemptMetadata({ ...metadata, did: by.did }, by.signer)
          if (own.isApplied) return own
          return attemptBy(signers, (signer) => tir.attemptMetadata(metadata, signer))()
        },
        allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, by.signer),
      }
    },
  },
  'T07-publication-by-unrelated-party': {
    title: 'Only an account that controls a TAO can accredit in its name',
    level: 'practice',
    rows: ['2.endpoints/tir.10', '2.what-the-service-does.3'],
    description:
      'taoDid is the accrediting organization: with an unauthorized signature it is forged.',
    fix: 'Require in the contract that the sender controls taoDid in the DID registry. Otherwise revert.',
    needs: ['accreditor'],
    what: 'A publication by an account that does not control the TAO',
    async prepare({ tir, environment, accreditor, outsiders }) {
      const by = await accreditor()
      const metadata = metadataOf(by, environment)
      return {
        attribute: metadata,
        attempt: attemptBy(outsiders(), (signer) => tir.attemptMetadata(metadata, signer)),
        allowed: () => tir.attemptMetadata(metadata, by.signer),
      }
    },
  },
  'T08-accredited-by-ti': {
    title: 'A TI cannot accredit',
    level: 'practice',
    rows: ['2.endpoints/tir.10', '2.resources-and-their-fields/types-used-in-the-tir.4'],
    description:
      'The right to issue credentials does not include the right to accredit other issuers.',
    fix: 'Require in the contract that the attribute attributeIdTao of taoDid is a TAO or a ROOT_TAO. For a TI, revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A publication below a TI, even if the same organization is a TAO by another attribute',
    async prepare(context) {
      const { tir, didRegistry, environment, accreditor } = context
      const by = await accreditor()
      const signer = await didRegistry.register()
      const own = { ...metadataOf(by, environment), did: signer.did }
      await tir.writeMetadata(own, by.signer)
      return attemptsBelow(context, { by, own, signer })
    },
  },
  'T09-unknown-parent': {
    title: 'An accreditation whose parent does not exist is rejected',
    level: 'practice',
    rows: ['2.endpoints/tir.10'],
    description:
      'attributeIdTao is the TAO’s own accreditation; without it the TAO has no authority.',
    fix: 'Require in the contract that taoDid has the attribute attributeIdTao. Otherwise revert.',
    needs: ['accreditor'],
    what: 'A publication below an attribute that does not exist',
    async prepare({ tir, environment, accreditor }) {
      const by = await accreditor()
      const correct = metadataOf(by, environment)
      const wrong = { ...correct, attributeIdTao: randomBytes(32).toString('hex') }
      return {
        attribute: correct,
        attempt: () => tir.attemptMetadata(wrong, by.signer),
        allowed: () => tir.attemptMetadata(correct, by.signer),
      }
    },
  },
  'T100-parent-of-another': {
    title: 'An organization cannot accredit itself, or with the accreditation of a TAO',
    level: 'practice',
    rows: ['2.endpoints/tir.10', '2.resources-and-their-fields/tir-attribute.6'],
    description:
      'The attributeId of each TAO is public. An organization that names it with its own DID would be a TAO without any accreditation.',
    fix: 'Look up the parent by taoDid and attributeIdTao together in the contract, before you store the new attribute. If taoDid has no such attribute, revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A publication by an organization that names its own DID as taoDid, below itself or below the attribute of a TAO',
    async prepare({ tir, didRegistry, environment, accreditor }) {
      const by = await accreditor()
      const signer = await didRegistry.register()
      const metadata = metadataOf({ ...by, did: signer.did }, environment)
      const correct = { ...metadata, taoDid: by.did }
      const own = { did: signer.did, attributeId: randomBytes(32).toString('hex') }
      const itself = { ...metadataOf(own, environment, 'TAO'), ...own }
      return {
        attribute: metadata,
        async attempt() {
          const { isApplied, observed } = await tir.attemptMetadata(itself, signer)
          if (isApplied) return { isApplied, observed: `(below itself) ${observed}` }
          return tir.attemptMetadata(metadata, signer)
        },
        allowed: () => tir.attemptMetadata(correct, by.signer),
      }
    },
  },
  'T101-former-control-key': {
    title: 'A replaced control key of a TAO can no longer accredit',
    level: 'practice',
    rows: ['2.endpoints/tir.10', '2.states-and-transitions.2'],
    description:
      'A TAO replaces a stolen key in the DID registry. A TIR that stores the account of a TAO still accepts publications by the thief.',
    fix: 'Ask the DID registry in each transaction whether the sender controls taoDid now. Do not store or derive the account of a TAO.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A publication by the replaced control key of a TAO',
    async prepare({ tir, didRegistry, environment, accreditor }) {
      const by = await accreditor()
      const former = await didRegistry.register()
      const { did } = former
      const own = { ...metadataOf(by, environment, 'TAO'), did }
      await tir.writeMetadata(own, by.signer)
      const current = didRegistry.createIdentity()
      const { alsoKnownAs, ...document } = didRegistry.firstDocumentOf(current, { did })
      const replacing = didRegistry.write('insertDidDocument', document, former)
      await asPremise('replacing the control key (see D33)', replacing)
      const metadata = metadataOf(own, environment)
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata(metadata, former),
        allowed: () => tir.attemptMetadata(metadata, current),
      }
    },
  },
  'T10-data-before-metadata': {
    title: 'setAttributeData before setAttributeMetadata has no effect',
    level: 'spec',
    rows: ['2.endpoints/tir.13'],
    description: 'An accreditation that no TAO has published must not be found.',
    fix: 'Revert setAttributeData in the contract if the attribute has no metadata. Return 404 at its address.',
    needs: ['accreditor'],
    what: 'setAttributeData before setAttributeMetadata',
    async prepare(context) {
      const { tir, environment, accreditor } = context
      const by = await accreditor()
      // The signer controls the subject as well, so that only the order is wrong.
      const metadata = { ...metadataOf(by, environment), did: by.did }
      const { did, attributeId } = metadata
      const data = { did, attributeId, jwt: signBody(context, metadata, by) }
      return {
        attribute: metadata,
        attempt: () => tir.attemptData(data, by.signer),
        // Of another subject: a TIR may reject that a TAO accredits itself.
        async allowed() {
          const publication = await publish(context)
          return addData(context, publication.metadata, by)
        },
      }
    },
  },
  'T11-data-by-unrelated-party': {
    title: 'Only the subject and its TAO can write the data of an attribute',
    level: 'practice',
    rows: ['2.endpoints/tir.11'],
    description:
      'A different body invalidates the accreditation, because its signature is not valid.',
    fix: 'Require in setAttributeData of the contract that the sender controls did or the TAO that published the attribute. Otherwise revert.',
    needs: ['accreditor'],
    what: 'setAttributeData by an unauthorized account',
    async prepare(context) {
      const { tir, outsiders } = context
      const { by, metadata } = await publish(context)
      const { did, attributeId } = metadata
      const jwt = signBody(context, metadata, by)
      const writing = tir.writeData({ did, attributeId, jwt }, by.signer)
      await asPremise('setAttributeData by the TAO', writing)
      const other = { did, attributeId, jwt: signBody(context, metadata, by, 'Other') }
      return {
        attribute: metadata,
        attempt: attemptBy(outsiders(), (signer) => tir.attemptData(other, signer)),
      }
    },
  },
  'T13-revocation-by-another-tao': {
    title: 'A TAO cannot revoke what another TAO has published',
    level: 'spec',
    rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
    description: 'Competitors could revoke each other’s issuers.',
    fix: 'Compare taoDid of a revocation with that of the publication in the contract. If they differ, revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A revocation by another TAO',
    async prepare(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      await addData(context, metadata, by)
      const other = await context.otherAccreditor()
      const above = { taoDid: other.did, attributeIdTao: other.attributeId }
      const revocation = { ...metadata, issuerType: 'REVOKED' } as const
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata({ ...revocation, ...above }, other.signer),
        allowed: () => tir.attemptMetadata(revocation, by.signer),
      }
    },
  },
  'T14-revocation-by-unrelated-party': {
    title: 'Only an account that controls a TAO can revoke in its name',
    level: 'practice',
    rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
    description: 'One transaction by an attacker would revoke an issuer permanently.',
    fix: 'Require in the contract, even for REVOKED, that the sender controls taoDid in the DID registry. Otherwise revert.',
    needs: ['accreditor'],
    what: 'A revocation by an unauthorized account',
    async prepare(context) {
      const { tir, outsiders, didRegistry } = context
      const { by, metadata } = await publish(context)
      const revocation = { ...metadata, issuerType: 'REVOKED' } as const
      const others = didRegistry.canRegister ? await otherTaos(context) : undefined
      const below = others && ({ ...others.below, issuerType: 'REVOKED' } as const)
      return {
        attribute: metadata,
        attempt: attemptEach({
          ...byEach(outsiders(), (signer) => tir.attemptMetadata(revocation, signer)),
          ...(others && {
            'by another TAO': () => tir.attemptMetadata(revocation, others.tao.signer),
          }),
          ...(below && {
            'by the TAO above the publishing one': () => tir.attemptMetadata(below, by.signer),
          }),
        }),
        allowed: () => tir.attemptMetadata(revocation, by.signer),
      }
    },
  },
  'T15-revocation-is-final': {
    title: 'A revoked attribute cannot be published again',
    level: 'practice',
    rows: ['2.states-and-transitions.7'],
    description: 'A verifier must be able to rely on a revocation.',
    fix: 'Revert setAttributeMetadata in the contract if the attribute is revoked.',
    needs: ['accreditor'],
    what: 'A publication of a revoked attribute',
    async prepare(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
      return { attribute: metadata, attempt: () => tir.attemptMetadata(metadata, by.signer) }
    },
  },
  'T16-revoked-tao': {
    title: 'A TAO whose own accreditation is revoked cannot accredit',
    level: 'practice',
    rows: ['2.endpoints/tir.10', '2.states-and-transitions.7'],
    description: 'A revoked TAO must not be able to accredit new issuers.',
    fix: 'Require in the contract that the attribute attributeIdTao of the TAO is not revoked. Otherwise revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A publication below a revoked TAO, even if the same organization is a TAO by another attribute',
    async prepare(context) {
      const { tir, didRegistry, environment, accreditor } = context
      const by = await accreditor()
      const signer = await didRegistry.register()
      const own = { ...metadataOf(by, environment, 'TAO'), did: signer.did }
      await tir.writeMetadata(own, by.signer)
      await tir.writeMetadata({ ...own, issuerType: 'REVOKED' }, by.signer)
      return attemptsBelow(context, { by, own, signer })
    },
  },
  'T70-publication-by-its-subject': {
    title: 'A subject cannot publish in the name of the TAO that accredited it',
    level: 'practice',
    rows: ['2.endpoints/tir.10', '2.what-the-service-does.3'],
    description: 'An issuer that is its own accreditor makes itself a TAO.',
    fix: 'Require in the contract that the sender controls taoDid. Control of did is not enough. Otherwise revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A publication of the role TAO by its subject, in the name of its TAO',
    async prepare({ tir, didRegistry, environment, accreditor }) {
      const by = await accreditor()
      const signer = await didRegistry.register()
      const { did } = signer
      await tir.writeMetadata({ ...metadataOf(by, environment), did }, by.signer)
      const metadata = { ...metadataOf(by, environment, 'TAO'), did }
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata(metadata, signer),
        allowed: () => tir.attemptMetadata(metadata, by.signer),
      }
    },
  },
  'T71-revocation-by-its-subject': {
    title: 'A subject cannot revoke its own attribute in the name of its TAO',
    level: 'practice',
    rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
    description:
      'A revocation is a decision of the TAO. A stolen key of the issuer must not make it permanently.',
    fix: 'Require in the contract, even for REVOKED, that the sender controls taoDid. Control of did is not enough. Otherwise revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A revocation by the subject',
    async prepare({ tir, didRegistry, environment, accreditor }) {
      const by = await accreditor()
      const signer = await didRegistry.register()
      const metadata = { ...metadataOf(by, environment), did: signer.did }
      await tir.writeMetadata(metadata, by.signer)
      const revocation = { ...metadata, issuerType: 'REVOKED' } as const
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata(revocation, signer),
        allowed: () => tir.attemptMetadata(revocation, by.signer),
      }
    },
  },
  'T72-data-by-another-tao': {
    title: 'A TAO cannot write the data of what another TAO has published',
    level: 'practice',
    rows: ['2.endpoints/tir.11'],
    description: 'A competitor could replace the accreditation of an issuer by an invalid JWT.',
    fix: 'Compare the sender of setAttributeData with the TAO of this attribute, not with any TAO. Otherwise revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'setAttributeData by another TAO',
    async prepare(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      const other = await context.otherAccreditor()
      const { did, attributeId } = metadata
      const data = { did, attributeId, jwt: signBody(context, metadata, by) }
      const { below } = await otherTaos(context)
      const dataBelow = { ...below, jwt: signBody(context, below, other) }
      return {
        attribute: metadata,
        attempt: attemptEach({
          'by another TAO': () => tir.attemptData(data, other.signer),
          'by the TAO above the publishing one': () => tir.attemptData(dataBelow, by.signer),
        }),
        allowed: () => tir.attemptData(data, by.signer),
      }
    },
  },
  'T73-data-by-revoked-tao': {
    title: 'A revoked TAO cannot write the data of what it has published',
    level: 'practice',
    rows: ['2.endpoints/tir.11', '2.states-and-transitions.7'],
    description: 'With new data, a revoked TAO could extend the accreditations of its issuers.',
    fix: 'Require in setAttributeData of the contract that the attribute attributeIdTao of the TAO is not revoked, unless the sender controls did. Otherwise revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'setAttributeData by a revoked TAO',
    async prepare(context) {
      const { tir, didRegistry, environment } = context
      const by = await context.accreditor()
      const signer = await didRegistry.register()
      const own = { ...metadataOf(by, environment, 'TAO'), did: signer.did }
      await tir.writeMetadata(own, by.signer)
      const metadata = metadataOf(own, environment)
      await tir.writeMetadata(metadata, signer)
      const { did, attributeId } = metadata
      const revoked = { did: own.did, attributeId: own.attributeId, signer }
      const write = (type: string) =>
        tir.attemptData(
          { did, attributeId, jwt: signBody(context, metadata, revoked, type) },
          signer,
        )
      const { isApplied, observed } = await write('Before')
      if (!isApplied) endCheck(inconclusive(`setAttributeData before the revocation ${observed}`))
      await tir.writeMetadata({ ...own, issuerType: 'REVOKED' }, by.signer)
      return { attribute: metadata, attempt: () => write('After') }
    },
  },
  'T19-data-after-revocation': {
    title: 'A revoked attribute cannot get new data',
    level: 'practice',
    rows: ['2.states-and-transitions.7'],
    description: 'A revoked attribute is a record of the past and must not change.',
    fix: 'Revert setAttributeData in the contract if the attribute is revoked.',
    needs: ['accreditor'],
    what: 'setAttributeData for a revoked attribute',
    async prepare(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      const { did, attributeId } = metadata
      await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
      const data = { did, attributeId, jwt: signBody(context, metadata, by) }
      return { attribute: metadata, attempt: () => tir.attemptData(data, by.signer) }
    },
  },
  'T20-type-does-not-change': {
    title: 'The type of a published attribute cannot change to another role',
    level: 'practice',
    rows: ['2.endpoints/tir.10', '2.states-and-transitions.7'],
    description:
      'A verifier that looked up a TI must not find a TAO later: an accreditation must stay what it was.',
    fix: 'Compare issuerType in setAttributeMetadata of the contract with the published one. If it differs and is not REVOKED, revert.',
    needs: ['accreditor'],
    what: 'Another role for a published attribute',
    async prepare(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      const { metadata: tao } = await publish(context, 'TAO')
      return {
        attribute: metadata,
        attempt: attemptEach({
          'TAO instead of TI': () =>
            tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, by.signer),
          'TI instead of TAO': () => tir.attemptMetadata({ ...tao, issuerType: 'TI' }, by.signer),
        }),
      }
    },
  },
})
