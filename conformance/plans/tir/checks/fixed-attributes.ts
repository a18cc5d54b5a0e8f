import { randomBytes } from 'node:crypto'
import { type CheckRow, type CheckTexts, defineChecks } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { Attempt } from '../../registries/did-registry-under-test.ts'
import type { TirContext } from '../context.ts'
import { findAttributeUnchanged, type WriteAttempt } from '../find-attribute-unchanged.ts'
import { metadataOf, prepareSending, publish, signSending, wireMetadata } from '../publications.ts'
import { requireResult } from '../rpc.ts'

/** A write that its TAO cannot make either, because of what the attribute is. */
interface FixedAttribute extends CheckTexts {
  /** `A publication of an attribute of another TAO`. */
  readonly what: string
  readonly prepare: (context: TirContext) => Promise<WriteAttempt>
}

export const checks = defineChecks<TirContext, FixedAttribute>(
  {
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
      fix: 'Revert setAttributeMetadata in the contract if the attribute is revoked, also for REVOKED.',
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
      fix: 'Require in the contract, also for REVOKED, that the attribute attributeIdTao of the TAO is not revoked. Otherwise revert.',
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
      title: 'The contract itself rejects issuer types that are not published',
      level: 'practice',
      rows: ['2.resources-and-their-fields/types-used-in-the-tir.4', '2.endpoints/tir.15'],
      description:
        'Anyone can sign a call that the API did not build. What the contract does not check is not checked.',
      fix: 'Revert setAttributeMetadata in the contract for NONE and for numbers without a type: the API only saves its clients a transaction.',
      needs: ['accreditor'],
      what: 'A publication whose issuerType in the call data was replaced by 0 (NONE)',
      async prepare(context) {
        const { tir } = context
        const { by, metadata, unsigned } = await prepareSending(context)
        const send = async (data: string): Promise<Attempt> => {
          const { privateKey } = by.signer
          const sending = signSending({ ...unsigned, data }, privateKey)
          const answer = await tir.call('sendSignedTransaction', sending)
          const hash = String(requireResult(answer, 'A call with another issuerType'))
          const { status } = await tir.awaitReceipt(hash)
          return status === '0x1'
            ? { isApplied: true, observed: 'was applied (receipt status 0x1)' }
            : { isApplied: false, observed: 'was mined and reverted (receipt status 0x0)' }
        }
        const { address } = by.signer
        const asTao = wireMetadata({ ...metadata, issuerType: 'TAO' }, address)
        const building = tir.client.build('setAttributeMetadata', asTao)
        const { data: other } = await asPremise('building setAttributeMetadata (see T01)', building)
        // Both calls only differ in the number of the type.
        const at = [...other].findIndex((digit, index) => digit !== unsigned.data[index])
        const none = `${unsigned.data.slice(0, at)}0${unsigned.data.slice(at + 1)}`
        return {
          attribute: metadata,
          attempt: () => send(none),
          allowed: () => tir.attemptMetadata(metadata, by.signer),
        }
      },
    },
  },
  toCheck,
)

function toCheck({ what, prepare, ...texts }: FixedAttribute): CheckRow<TirContext> {
  return {
    ...texts,
    expectation: 'refuse',
    sends: `${what}.`,
    decides:
      'The write is rejected or reverted and the attribute stays unchanged, while a correct write is applied.',
    run: async (context) =>
      findAttributeUnchanged(context.tir, { what, ...(await prepare(context)) }),
  }
}
