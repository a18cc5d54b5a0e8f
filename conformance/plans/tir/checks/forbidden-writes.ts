import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { CheckRow, CheckTexts, Finding } from '../../../kit/check.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { Attempt } from '../../registries/did-registry-under-test.ts'
import type { TirContext } from '../context.ts'
import { metadataOf, publish, signBody } from '../publications.ts'
import type { TirUnderTest } from '../tir-under-test.ts'

/** A write that its signer may not make. */
interface ForbiddenWrite extends CheckTexts {
  /** `A publication by somebody who does not control the TAO`. */
  readonly what: string
  readonly prepare: (context: TirContext) => Promise<Preparation>
}

interface Preparation {
  /** Whose attribute has to stay as it is, also where there is none. */
  readonly attribute: { readonly did: string; readonly attributeId: string }
  readonly attempt: () => Promise<Attempt>
  /** What has to come first for {@link allowed}. */
  readonly prepareAllowed?: () => Promise<unknown>
  /**
   * The same by whoever may, or as it may be, done afterwards: a TIR that takes it from nobody has
   * refused it for another reason.
   */
  readonly allowed?: () => Promise<Attempt>
}

export const checks = defineChecks<TirContext, ForbiddenWrite>(
  {
    'T06-root-by-another': {
      title: 'Nobody but the operator publishes a ROOT_TAO',
      level: 'spec',
      rows: ['2.resources-and-their-fields/types-used-in-the-tir.4'],
      description: 'Whoever makes itself a root accredits whomever it likes.',
      needs: ['accreditor'],
      what: 'A ROOT_TAO by somebody other than the operator',
      async prepare({ tir, environment, accreditor }) {
        const by = await accreditor()
        const metadata = metadataOf(by, environment, 'ROOT_TAO')
        return {
          attribute: metadata,
          attempt: () => tir.attemptMetadata(metadata, by.signer),
          allowed: () => tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, by.signer),
        }
      },
    },
    'T07-publication-by-stranger': {
      title: 'Nobody accredits in the name of a TAO that it does not control',
      level: 'practice',
      rows: ['2.endpoints/tir.10', '2.what-the-service-does.3'],
      description: 'taoDid is the one who accredits: with a stranger’s signature it is forged.',
      needs: ['accreditor'],
      what: 'A publication by somebody who does not control the TAO',
      async prepare({ tir, didRegistry, environment, accreditor }) {
        const by = await accreditor()
        const metadata = metadataOf(by, environment)
        return {
          attribute: metadata,
          attempt: () => tir.attemptMetadata(metadata, didRegistry.createIdentity()),
          allowed: () => tir.attemptMetadata(metadata, by.signer),
        }
      },
    },
    'T08-accredited-by-ti': {
      title: 'A TI accredits nobody',
      level: 'practice',
      rows: ['2.endpoints/tir.10', '2.resources-and-their-fields/types-used-in-the-tir.4'],
      description: 'Whoever may issue credentials may not say who else may.',
      needs: ['accreditor', 'onboarding-node'],
      what: 'A publication by a TI',
      async prepare({ tir, didRegistry, environment, accreditor }) {
        const by = await accreditor()
        const signer = await didRegistry.register()
        const own = { ...metadataOf(by, environment), did: signer.did }
        await tir.writeMetadata(own, by.signer)
        const metadata = metadataOf(own, environment)
        return { attribute: metadata, attempt: () => tir.attemptMetadata(metadata, signer) }
      },
    },
    'T09-unknown-parent': {
      title: 'An accreditation whose parent is not there is refused',
      level: 'practice',
      rows: ['2.endpoints/tir.10'],
      description:
        'attributeIdTao is the accreditation by which the TAO accredits; without it it has none.',
      needs: ['accreditor'],
      what: 'A publication below an attribute that is not there',
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
    'T10-data-before-metadata': {
      title: 'setAttributeData before setAttributeMetadata comes to nothing',
      level: 'spec',
      rows: ['2.endpoints/tir.13'],
      description: 'An accreditation that nobody has published must not be found.',
      needs: ['accreditor'],
      what: 'setAttributeData before setAttributeMetadata',
      async prepare(context) {
        const { tir, environment, accreditor } = context
        const by = await accreditor()
        // The signer controls the subject as well, so that nothing but the order is wrong.
        const metadata = { ...metadataOf(by, environment), did: by.did }
        const { did, attributeId } = metadata
        const data = { did, attributeId, jwt: signBody(context, metadata, by) }
        return {
          attribute: metadata,
          attempt: () => tir.attemptData(data, by.signer),
          prepareAllowed: () => tir.writeMetadata(metadata, by.signer),
          allowed: () => tir.attemptData(data, by.signer),
        }
      },
    },
    'T11-data-by-stranger': {
      title: 'Nobody but the subject and its TAO writes the data of an attribute',
      level: 'practice',
      rows: ['2.endpoints/tir.11'],
      description:
        'Another body in its place takes the accreditation away: its signature does not verify.',
      needs: ['accreditor'],
      what: 'setAttributeData by a stranger',
      async prepare(context) {
        const { tir, didRegistry } = context
        const { by, metadata } = await publish(context)
        const { did, attributeId } = metadata
        const jwt = signBody(context, metadata, by)
        const writing = tir.writeData({ did, attributeId, jwt }, by.signer)
        await asPremise('setAttributeData by the TAO', writing)
        const other = { did, attributeId, jwt: signBody(context, metadata, by, 'Other') }
        return {
          attribute: metadata,
          attempt: () => tir.attemptData(other, didRegistry.createIdentity()),
        }
      },
    },
    'T13-revocation-by-another-tao': {
      title: 'A TAO does not revoke what another one has published',
      level: 'spec',
      rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
      description: 'Competitors would take each other’s issuers off the market.',
      needs: ['accreditor', 'onboarding-node'],
      what: 'A revocation by another TAO',
      async prepare(context) {
        const { tir } = context
        const { by, metadata } = await publish(context)
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
    'T14-revocation-by-stranger': {
      title: 'Nobody revokes in the name of a TAO that it does not control',
      level: 'practice',
      rows: ['2.states-and-transitions.7', '2.endpoints/tir.10'],
      description: 'One transaction of a stranger’s would end an issuer for good.',
      needs: ['accreditor'],
      what: 'A revocation by a stranger',
      async prepare(context) {
        const { tir, didRegistry } = context
        const { by, metadata } = await publish(context)
        const revocation = { ...metadata, issuerType: 'REVOKED' } as const
        return {
          attribute: metadata,
          attempt: () => tir.attemptMetadata(revocation, didRegistry.createIdentity()),
          allowed: () => tir.attemptMetadata(revocation, by.signer),
        }
      },
    },
    'T15-revocation-is-final': {
      title: 'A revoked attribute is not published again',
      level: 'practice',
      rows: ['2.states-and-transitions.7'],
      description: 'Who has seen that an accreditation is revoked must be able to rely on it.',
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
      title: 'A TAO whose own accreditation is revoked accredits nobody',
      level: 'practice',
      rows: ['2.endpoints/tir.10', '2.states-and-transitions.7'],
      description: 'Revoking a TAO has to keep it from making new issuers.',
      needs: ['accreditor', 'onboarding-node'],
      what: 'A publication by a revoked TAO',
      async prepare({ tir, didRegistry, environment, accreditor }) {
        const by = await accreditor()
        const signer = await didRegistry.register()
        const own = { ...metadataOf(by, environment, 'TAO'), did: signer.did }
        await tir.writeMetadata(own, by.signer)
        await tir.writeMetadata({ ...own, issuerType: 'REVOKED' }, by.signer)
        const metadata = metadataOf(own, environment)
        return { attribute: metadata, attempt: () => tir.attemptMetadata(metadata, signer) }
      },
    },
    'T19-data-after-revocation': {
      title: 'A revoked attribute takes no new data',
      level: 'practice',
      rows: ['2.states-and-transitions.7'],
      description: 'What is revoked is a record of what was; it is not written on.',
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
      title: 'The type of a published attribute does not change to another role',
      level: 'practice',
      rows: ['2.endpoints/tir.10', '2.states-and-transitions.7'],
      description:
        'Whoever has looked up a TI must not find a TAO there later: what was accredited is what was seen.',
      needs: ['accreditor'],
      what: 'Another role for a published attribute',
      async prepare(context) {
        const { tir } = context
        const { by, metadata } = await publish(context)
        return {
          attribute: metadata,
          attempt: () => tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, by.signer),
        }
      },
    },
  },
  toCheck,
)

function toCheck({ what, prepare, ...texts }: ForbiddenWrite): CheckRow<TirContext> {
  return {
    ...texts,
    expectation: 'refuse',
    sends: `${what}.`,
    decides:
      'The write is refused or reverted and the attribute stays unchanged, while an authorized write is applied.',
    run: async (context) =>
      findAttributeUnchanged(context.tir, { what, ...(await prepare(context)) }),
  }
}

/**
 * Writes what this signer may not: it is refused or reverted, and the attribute is the same before
 * and after. How the TIR says so is left to it.
 */
async function findAttributeUnchanged(
  tir: TirUnderTest,
  { what, attribute, attempt, prepareAllowed, allowed }: Preparation & Pick<ForbiddenWrite, 'what'>,
): Promise<Finding> {
  const { did, attributeId } = attribute
  const before = await tir.readAttribute(did, attributeId)
  const { isApplied, told } = await attempt()
  const after = await tir.readAttribute(did, attributeId)
  if (!isDeepStrictEqual(before, after)) {
    return broken(`${what} ${told}, and the attribute has changed`, {
      verdictSource: 'the attribute before and after',
      expected: before ?? 'no attribute',
      actual: after ?? 'no attribute',
    })
  }
  if (isApplied) {
    const verdictSource = 'status of the receipt at the chain node'
    return broken(`${what} ${told}`, { verdictSource, expected: '0x0', actual: '0x1' })
  }
  if (prepareAllowed) await asPremise('what has to come before it', prepareAllowed())
  const control = await allowed?.()
  return control?.isApplied === false
    ? inconclusive(`${what} ${told}; but as it may be done, the same ${control.told}`)
    : held(`${what} ${told}, and the attribute is as before`)
}
