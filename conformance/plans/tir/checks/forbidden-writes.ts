import { randomBytes } from 'node:crypto'
import { asPremise } from '../../../kit/as-premise.ts'
import { defineChecks } from '../../../kit/define-check.ts'
import type { TirContext } from '../context.ts'
import { findAttributeUnchanged } from '../find-attribute-unchanged.ts'
import { metadataOf } from '../metadata-of.ts'
import { publish } from '../publish.ts'
import { signBody } from '../sign-body.ts'

export const checks = defineChecks<TirContext>({
  'T06-root-by-another': {
    title: 'Nobody but the operator publishes a ROOT_TAO',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.resources-and-their-fields/types-used-in-the-tir.4'],
    description: 'Whoever makes itself a root accredits whomever it likes.',
    sends: 'setAttributeMetadata with issuerType ROOT_TAO, signed by an accredited TAO.',
    decides: 'It is reverted or refused, and there is no such attribute.',
    needs: ['accreditor'],
    async run({ tir, environment, accreditor }) {
      const by = await accreditor()
      const metadata = metadataOf(by, environment, 'ROOT_TAO')
      return findAttributeUnchanged(tir, {
        what: 'A ROOT_TAO by somebody other than the operator',
        ...metadata,
        attempt: () => tir.attemptMetadata(metadata, by.signer),
        allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, by.signer),
      })
    },
  },
  'T07-publication-by-stranger': {
    title: 'Nobody accredits in the name of a TAO that it does not control',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.10', '2.what-the-service-does.3'],
    description: 'taoDid is the one who accredits: with a stranger’s signature it is forged.',
    sends: 'setAttributeMetadata with the TAO’s DID and attribute, signed by another account.',
    decides: 'It is reverted or refused, and there is no such attribute.',
    needs: ['accreditor'],
    async run({ tir, didRegistry, environment, accreditor }) {
      const by = await accreditor()
      const metadata = metadataOf(by, environment)
      const stranger = didRegistry.createIdentity()
      return findAttributeUnchanged(tir, {
        what: 'A publication by somebody who does not control the TAO',
        ...metadata,
        attempt: () => tir.attemptMetadata(metadata, stranger),
        allowed: () => tir.attemptMetadata(metadata, by.signer),
      })
    },
  },
  'T08-accredited-by-ti': {
    title: 'A TI accredits nobody',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.10', '2.resources-and-their-fields/types-used-in-the-tir.4'],
    description: 'Whoever may issue credentials may not say who else may.',
    sends: 'A registered DID is published as TI; it then publishes another TI below itself.',
    decides: 'The second publication is reverted or refused, and there is no such attribute.',
    needs: ['accreditor', 'onboarding-node'],
    async run({ tir, didRegistry, environment, accreditor }) {
      const by = await accreditor()
      const signer = await didRegistry.register()
      const own = { ...metadataOf(by, environment), did: signer.did }
      await tir.writeMetadata(own, by.signer)
      const metadata = metadataOf(own, environment)
      return findAttributeUnchanged(tir, {
        what: 'A publication by a TI',
        ...metadata,
        attempt: () => tir.attemptMetadata(metadata, signer),
      })
    },
  },
  'T09-unknown-parent': {
    title: 'An accreditation whose parent is not there is refused',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.10'],
    description:
      'attributeIdTao is the accreditation by which the TAO accredits; without it it has none.',
    sends: 'setAttributeMetadata by a TAO with an attributeIdTao that nobody has published.',
    decides: 'It is reverted or refused, and there is no such attribute.',
    needs: ['accreditor'],
    async run({ tir, environment, accreditor }) {
      const by = await accreditor()
      const attributeIdTao = randomBytes(32).toString('hex')
      const metadata = { ...metadataOf(by, environment), attributeIdTao }
      return findAttributeUnchanged(tir, {
        what: 'A publication below an attribute that is not there',
        ...metadata,
        attempt: () => tir.attemptMetadata(metadata, by.signer),
        allowed: () =>
          tir.attemptMetadata({ ...metadata, attributeIdTao: by.attributeId }, by.signer),
      })
    },
  },
  'T10-data-before-metadata': {
    title: 'setAttributeData before setAttributeMetadata comes to nothing',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.13'],
    description: 'An accreditation that nobody has published must not be found.',
    sends:
      'setAttributeData for a new attribute, signed by the TAO whose DID it is for; then both writes in their order.',
    decides:
      'It is reverted or refused, and there is no such attribute, while it is applied after the metadata.',
    needs: ['accreditor'],
    async run(context) {
      const { tir, environment, accreditor } = context
      const by = await accreditor()
      // The signer controls the subject as well, so that nothing but the order is wrong.
      const metadata = { ...metadataOf(by, environment), did: by.did }
      const { did, attributeId } = metadata
      const jwt = signBody(context, metadata, by)
      return findAttributeUnchanged(tir, {
        what: 'setAttributeData before setAttributeMetadata',
        did,
        attributeId,
        prepare: () => tir.writeMetadata(metadata, by.signer),
        allowed: () => tir.attemptData({ did, attributeId, jwt }, by.signer),
        attempt: () => tir.attemptData({ did, attributeId, jwt }, by.signer),
      })
    },
  },
  'T11-data-by-stranger': {
    title: 'Nobody but the subject and its TAO writes the data of an attribute',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.11'],
    description:
      'Another body in its place takes the accreditation away: its signature does not verify.',
    sends: 'setAttributeData for a published attribute, signed by another account.',
    decides: 'It is reverted or refused, and the body is as before.',
    needs: ['accreditor'],
    async run(context) {
      const { tir, didRegistry } = context
      const { by, metadata } = await publish(context)
      const { did, attributeId } = metadata
      const jwt = signBody(context, metadata, by)
      const writing = tir.writeData({ did, attributeId, jwt }, by.signer)
      await asPremise('setAttributeData by the TAO', writing)
      const other = signBody(context, metadata, by, 'Other')
      const stranger = didRegistry.createIdentity()
      return findAttributeUnchanged(tir, {
        what: 'setAttributeData by a stranger',
        did,
        attributeId,
        attempt: () => tir.attemptData({ did, attributeId, jwt: other }, stranger),
      })
    },
  },
  'T13-revocation-by-another-tao': {
    title: 'A TAO does not revoke what another one has published',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
    description: 'Competitors would take each other’s issuers off the market.',
    sends: 'setAttributeMetadata with issuerType REVOKED, taoDid and signature of another TAO.',
    decides: 'It is reverted or refused, and the attribute is as before.',
    needs: ['accreditor', 'onboarding-node'],
    async run(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      const other = await context.otherAccreditor()
      const above = { taoDid: other.did, attributeIdTao: other.attributeId }
      const revocation = { ...metadata, ...above, issuerType: 'REVOKED' } as const
      return findAttributeUnchanged(tir, {
        what: 'A revocation by another TAO',
        ...metadata,
        attempt: () => tir.attemptMetadata(revocation, other.signer),
        allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer),
      })
    },
  },
  'T14-revocation-by-stranger': {
    title: 'Nobody revokes in the name of a TAO that it does not control',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
    description: 'One transaction of a stranger’s would end an issuer for good.',
    sends:
      'setAttributeMetadata with issuerType REVOKED and the right taoDid, signed by another account.',
    decides: 'It is reverted or refused, and the attribute is as before.',
    needs: ['accreditor'],
    async run(context) {
      const { tir, didRegistry } = context
      const { by, metadata } = await publish(context)
      const stranger = didRegistry.createIdentity()
      return findAttributeUnchanged(tir, {
        what: 'A revocation by a stranger',
        ...metadata,
        attempt: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, stranger),
        allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer),
      })
    },
  },
  'T15-revocation-is-final': {
    title: 'A revoked attribute is not published again',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.7'],
    description: 'Who has seen that an accreditation is revoked must be able to rely on it.',
    sends:
      'setAttributeMetadata with the type of the publication, after the attribute was revoked.',
    decides: 'It is reverted or refused, and the attribute stays REVOKED.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
      return findAttributeUnchanged(tir, {
        what: 'A publication of a revoked attribute',
        ...metadata,
        attempt: () => tir.attemptMetadata(metadata, by.signer),
      })
    },
  },
  'T16-revoked-tao': {
    title: 'A TAO whose own accreditation is revoked accredits nobody',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.10', '2.states-and-transitions.7'],
    description: 'Revoking a TAO has to keep it from making new issuers.',
    sends: 'A TAO is published and revoked; it then publishes a TI.',
    decides: 'The publication is reverted or refused, and there is no such attribute.',
    needs: ['accreditor', 'onboarding-node'],
    async run({ tir, didRegistry, environment, accreditor }) {
      const by = await accreditor()
      const signer = await didRegistry.register()
      const own = { ...metadataOf(by, environment, 'TAO'), did: signer.did }
      await tir.writeMetadata(own, by.signer)
      await tir.writeMetadata({ ...own, issuerType: 'REVOKED' }, by.signer)
      const metadata = metadataOf(own, environment)
      return findAttributeUnchanged(tir, {
        what: 'A publication by a revoked TAO',
        ...metadata,
        attempt: () => tir.attemptMetadata(metadata, signer),
      })
    },
  },
  'T19-data-after-revocation': {
    title: 'A revoked attribute takes no new data',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.7'],
    description: 'What is revoked is a record of what was; it is not written on.',
    sends: 'setAttributeData for a revoked attribute, signed by the TAO that published it.',
    decides: 'It is reverted or refused, and the attribute is as before.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      const { did, attributeId } = metadata
      await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
      const jwt = signBody(context, metadata, by)
      return findAttributeUnchanged(tir, {
        what: 'setAttributeData for a revoked attribute',
        did,
        attributeId,
        attempt: () => tir.attemptData({ did, attributeId, jwt }, by.signer),
      })
    },
  },
  'T20-type-does-not-change': {
    title: 'The type of a published attribute does not change to another role',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.10', '2.states-and-transitions.7'],
    description:
      'Whoever has looked up a TI must not find a TAO there later: what was accredited is what was seen.',
    sends: 'setAttributeMetadata with issuerType TAO for an attribute that was published as TI.',
    decides: 'It is reverted or refused, and the attribute is as before.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      return findAttributeUnchanged(tir, {
        what: 'Another role for a published attribute',
        ...metadata,
        attempt: () => tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, by.signer),
      })
    },
  },
})
