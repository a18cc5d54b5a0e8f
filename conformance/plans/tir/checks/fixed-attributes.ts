import { randomBytes } from 'node:crypto'
import { toHex } from '#core/ethereum/account.ts'
import { endCheck, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { metadataOf, publish, signBody, wireMetadata } from '../publications.ts'
import { attemptEach, refusesWrites } from '../refused-writes.ts'

/** Empties a string in call data: the word before its bytes is their number. */
function withEmpty(data: string, text: string): string {
  const at = data.toLowerCase().indexOf(Buffer.from(text).toString('hex'))
  if (Number(`0x${data.slice(at - 64, at)}`) === Buffer.byteLength(text)) {
    return `${data.slice(0, at - 64)}${'0'.repeat(64)}${data.slice(at)}`
  }
  endCheck(inconclusive('The call data does not contain the string in the encoding of the ABI'))
}

export const checks = refusesWrites({
  'T74-publication-of-another-tao': {
    title: 'A TAO cannot publish again what another TAO has published',
    level: 'practice',
    rows: ['2.endpoints/tir.10', '2.resources-and-their-fields/tir-attribute.6'],
    description: 'The issuer would have a TAO that it does not know, which could revoke it.',
    fix: 'Compare taoDid and attributeIdTao of setAttributeMetadata in the contract with those of the publication. If one differs, revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A publication of an attribute of another TAO',
    async prepare(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      const other = await context.otherAccreditor()
      const above = { taoDid: other.did, attributeIdTao: other.attributeId }
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata({ ...metadata, ...above }, other.signer),
        allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer),
      }
    },
  },
  'T75-other-accreditation-of-the-tao': {
    title: 'attributeIdTao of a published attribute cannot change',
    level: 'practice',
    rows: ['2.endpoints/tir.10'],
    description:
      'A verifier follows it to the accreditation of the TAO. With a different accreditation, a revoked chain would be valid again.',
    fix: 'Compare attributeIdTao of setAttributeMetadata in the contract with that of the publication. If it differs, revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A publication with another accreditation of the same TAO',
    async prepare(context) {
      const { tir, accreditor } = context
      const root = await accreditor()
      const tao = await context.otherAccreditor()
      const attributeId = randomBytes(32).toString('hex')
      const above = { taoDid: root.did, attributeIdTao: root.attributeId }
      const second = { did: tao.did, attributeId, issuerType: 'TAO', ...above } as const
      const accrediting = tir.writeMetadata(second, root.signer)
      await asPremise('accrediting the TAO again (see T02)', accrediting)
      const metadata = metadataOf(tao, context.environment)
      const publishing = tir.writeMetadata(metadata, tao.signer)
      await asPremise('publishing an attribute (see T04)', publishing)
      const changed = { ...metadata, attributeIdTao: attributeId }
      const other = metadataOf({ did: tao.did, attributeId }, context.environment)
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata(changed, tao.signer),
        allowed: () => tir.attemptMetadata(other, tao.signer),
      }
    },
  },
  'T105-other-tao-in-a-revocation': {
    title: 'A revocation with a different taoDid from the publication is rejected',
    level: 'spec',
    rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
    description:
      'A reader of the events would believe that a different TAO has revoked the issuer.',
    fix: 'Compare taoDid of each revocation with that of the publication in the contract, even if the operator sends it. If they differ, revert.',
    needs: ['accreditor', 'onboarding-node', 'operator'],
    what: 'A revocation by the operator in the name of another TAO',
    async prepare(context) {
      const { tir, operator } = context
      const { by, metadata } = await publish(context)
      const other = await context.otherAccreditor()
      const revocation = { ...metadata, issuerType: 'REVOKED' } as const
      const otherTao = { ...revocation, taoDid: other.did }
      const above = { ...otherTao, attributeIdTao: other.attributeId }
      return {
        attribute: metadata,
        attempt: attemptEach({
          'another taoDid': () => tir.attemptMetadata(otherTao, operator),
          'another taoDid and its attributeIdTao': () => tir.attemptMetadata(above, operator),
        }),
        allowed: () => tir.attemptMetadata(revocation, by.signer),
      }
    },
  },
  'T76-revocation-of-nothing': {
    title: 'An attribute that was not published cannot be revoked',
    level: 'practice',
    rows: ['2.states-and-transitions.7'],
    description:
      'A client that revoked a mistyped id believes that the issuer is revoked, if the TIR confirms it.',
    fix: 'Revert REVOKED in the contract if the attribute has no metadata.',
    needs: ['accreditor'],
    what: 'A revocation of an attribute that was not published',
    async prepare({ tir, environment, accreditor }) {
      const by = await accreditor()
      const metadata = metadataOf(by, environment)
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer),
        allowed: () => tir.attemptMetadata(metadata, by.signer),
      }
    },
  },
  'T77-revocation-twice': {
    title: 'A revoked attribute cannot be revoked again',
    level: 'practice',
    rows: ['2.states-and-transitions.7'],
    description: 'A revocation is final. A second one would be a second event about it.',
    fix: 'Revert setAttributeMetadata in the contract if the attribute is revoked, even for REVOKED.',
    needs: ['accreditor'],
    what: 'A second revocation',
    async prepare(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      const revocation = { ...metadata, issuerType: 'REVOKED' } as const
      const revoking = tir.writeMetadata(revocation, by.signer)
      await asPremise('revoking an attribute (see T12)', revoking)
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata(revocation, by.signer),
      }
    },
  },
  'T78-revocation-by-revoked-tao': {
    title: 'A revoked TAO cannot revoke what it has published',
    level: 'practice',
    rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
    description:
      'A TAO is often revoked because its key was stolen. The thief must not be able to revoke its issuers, which is final.',
    fix: 'Require in the contract, even for REVOKED, that the attribute attributeIdTao of the TAO is not revoked. Otherwise revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A revocation by a revoked TAO',
    async prepare({ tir, didRegistry, environment, accreditor }) {
      const by = await accreditor()
      const signer = await didRegistry.register()
      const own = { ...metadataOf(by, environment, 'TAO'), did: signer.did }
      await asPremise('accrediting a TAO (see T02)', tir.writeMetadata(own, by.signer))
      const metadata = metadataOf(own, environment)
      await asPremise('publishing an attribute (see T04)', tir.writeMetadata(metadata, signer))
      const revoked = { ...own, issuerType: 'REVOKED' } as const
      await asPremise('revoking the TAO (see T12)', tir.writeMetadata(revoked, by.signer))
      return {
        attribute: metadata,
        attempt: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, signer),
      }
    },
  },
  'T79-rules-of-the-contract': {
    title: 'The contract itself rejects types that are not published, an empty DID and empty data',
    level: 'practice',
    rows: ['2.resources-and-their-fields/types-used-in-the-tir.4', '2.endpoints/tir.15'],
    description:
      'Anyone can sign a call that the API did not build. What the contract does not check is not checked.',
    fix: 'Revert setAttributeMetadata in the contract for NONE, for numbers without a type and for an empty did, and setAttributeData for empty data: the API only saves its clients a transaction.',
    needs: ['accreditor'],
    what: 'A call whose data was changed',
    async prepare(context) {
      const { tir, environment } = context
      const { by, metadata: published } = await publish(context)
      const metadata = metadataOf(by, environment)
      const { address } = by.signer
      const build = (method: string, parameters: object) =>
        asPremise(`building ${method} (see T01)`, tir.client.build(method, parameters))
      const attemptMetadata = (change: (data: string, at: number) => string) => async () => {
        const own = wireMetadata(metadata, address)
        const unsigned = await build('setAttributeMetadata', own)
        const other = await build('setAttributeMetadata', { ...own, issuerType: 'TAO' })
        // Both calls only differ in the number of the type.
        const at = [...other.data].findIndex((digit, index) => digit !== unsigned.data[index])
        const changed = { ...unsigned, data: change(unsigned.data, at) }
        return tir.attemptTransaction(changed, by.signer)
      }
      const withType = (type: string) => (data: string, at: number) =>
        `${data.slice(0, at)}${type}${data.slice(at + 1)}`
      const body = signBody(context, published, by)
      const attemptEmptyData = async () => {
        const { did, attributeId } = published
        const attributeData = toHex(Buffer.from(body))
        const parameters = { from: address, did, attributeId: `0x${attributeId}`, attributeData }
        const unsigned = await build('setAttributeData', parameters)
        const changed = { ...unsigned, data: withEmpty(unsigned.data, body) }
        return tir.attemptTransaction(changed, by.signer)
      }
      return {
        attribute: metadata,
        attempt: attemptEach({
          'the type 0 (NONE)': attemptMetadata(withType('0')),
          'the type 5': attemptMetadata(withType('5')),
          'an empty did': attemptMetadata((data) => withEmpty(data, metadata.did)),
          'empty data of a published attribute': attemptEmptyData,
        }),
        allowed: () => tir.attemptMetadata(metadata, by.signer),
      }
    },
  },
  'T97-tao-with-the-same-id': {
    title: 'A TAO cannot act for another TAO whose accreditation has the same attributeId',
    level: 'practice',
    rows: ['2.states-and-transitions.7', '2.endpoints/tir.10', '2.endpoints/tir.11'],
    description:
      'An attributeId is unique for its DID only. If only attributeIdTao is compared, a TAO can be given power over the issuers of another.',
    fix: 'Compare taoDid with that of the publication in the contract, for publications, revocations and data, and not only attributeIdTao. If it differs, revert.',
    needs: ['accreditor', 'onboarding-node'],
    what: 'A write by a TAO whose accreditation has the attributeId of the publishing one',
    async prepare(context) {
      const { tir, didRegistry, environment } = context
      const { by, metadata } = await publish(context)
      const signer = await didRegistry.register()
      const { attributeId } = by
      const twin = { ...metadataOf(by, environment, 'TAO'), did: signer.did, attributeId }
      const accrediting = tir.writeMetadata(twin, by.signer)
      await asPremise('accrediting a TAO with the attributeId of another (see T82)', accrediting)
      const changed = { ...metadata, taoDid: twin.did }
      const jwt = signBody(context, metadata, { did: twin.did, attributeId, signer })
      return {
        attribute: metadata,
        attempt: attemptEach({
          'a publication': () => tir.attemptMetadata(changed, signer),
          'a revocation': () => tir.attemptMetadata({ ...changed, issuerType: 'REVOKED' }, signer),
          data: () => tir.attemptData({ ...metadata, jwt }, signer),
        }),
        allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer),
      }
    },
  },
})
