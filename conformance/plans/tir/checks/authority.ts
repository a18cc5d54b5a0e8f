import { randomBytes } from 'node:crypto'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineChecks } from '../../../kit/check.ts'
import { asPremise, requireJson } from '../../../kit/classify-answer.ts'
import { type ObservationRow, observing } from '../../registries/findings.ts'
import type { TirContext } from '../context.ts'
import { addData, metadataOf, publish, rootOf, signBody } from '../publications.ts'

type Members = Readonly<Record<string, unknown>>

/** The attribute as a client reads it, with all members. */
async function readFully(
  { tir }: Pick<TirContext, 'tir'>,
  { did, attributeId }: Pick<AttributeMetadata, 'did' | 'attributeId'>,
): Promise<{ readonly answer: Members; readonly attribute: Members }> {
  const answer = requireJson(await tir.getAttribute(did, attributeId), 'The attribute')
  return { answer, attribute: (answer.attribute ?? {}) as Members }
}

export const checks = defineChecks<TirContext, ObservationRow<TirContext>>(
  {
    'T80-attribute-in-full': {
      title: 'An attribute has every documented member, before and after its revocation',
      level: 'spec',
      rows: [
        '2.endpoints/tir.17',
        '2.resources-and-their-fields/tir-attribute.1',
        '2.resources-and-their-fields/tir-attribute.3',
        '2.resources-and-their-fields/tir-attribute.4',
        '2.resources-and-their-fields/tir-attribute.5',
        '2.resources-and-their-fields/tir-attribute.6',
      ],
      description:
        'Verifiers walk from attribute to attribute with these members: a missing one ends the walk.',
      sends: 'Publications of a TAO and of a TI with a body; then a revocation of the TI.',
      decides:
        'did, hash, issuerType, tao and rootTao have the published values, and body is a string; after the revocation only issuerType differs. attributeIdTao, if it is there, is the published one.',
      fix: 'Return did and attribute with body, hash, issuerType, rootTao and tao. Change only issuerType when an attribute is revoked.',
      async observe(context) {
        const { tir } = context
        for (const issuerType of ['TAO', 'TI'] as const) {
          const { by, metadata } = await publish(context, issuerType)
          const { did, attributeId } = metadata
          const jwt = signBody(context, metadata, by)
          const writing = tir.writeData({ did, attributeId, jwt }, by.signer)
          await asPremise('setAttributeData (see T02)', writing)
          const rootTao = await rootOf(context, by)
          const expected = { hash: attributeId, issuerType, tao: by.did, rootTao }
          const requireMembers = async (type: string) => {
            const { answer, attribute } = await readFully(context, metadata)
            expectEqual('did', answer.did, did)
            const { hash, tao, rootTao: root, attributeIdTao = by.attributeId, body } = attribute
            const actual = { hash, issuerType: attribute.issuerType, tao, rootTao: root }
            expectEqual('the attribute', actual, { ...expected, issuerType: type })
            expectEqual('attributeIdTao', attributeIdTao, by.attributeId)
            expectTrue('body is a string that is not empty', Boolean(body), body)
            expectEqual('type of body', typeof body, 'string')
            return body
          }
          const body = await requireMembers(issuerType)
          const revocation = { ...metadata, issuerType: 'REVOKED' } as const
          const revoking = tir.writeMetadata(revocation, by.signer)
          await asPremise('revoking an attribute (see T12)', revoking)
          expectEqual('body after the revocation', await requireMembers('REVOKED'), body)
        }
        return 'Both attributes have every member, before and after their revocation'
      },
    },
    'T81-root-of-a-long-chain': {
      title: 'rootTao is the root of the chain at every depth',
      level: 'spec',
      rows: [
        '2.resources-and-their-fields/tir-attribute.5',
        '2.resources-and-their-fields/tir-attribute.6',
      ],
      description: 'A verifier that trusts a root only knows the issuers of its chain by rootTao.',
      sends: 'A TAO below a TAO below the root accredits a TI.',
      decides: 'tao of the TI is the last TAO, and its rootTao is that of the root.',
      fix: 'Inherit rootTao from the attribute attributeIdTao of taoDid, not from taoDid itself.',
      needs: ['accreditor', 'onboarding-node'],
      async observe(context) {
        const { tir, didRegistry, environment } = context
        const [root, first] = [await context.accreditor(), await context.otherAccreditor()]
        const signer = await didRegistry.register()
        const { did } = signer
        const second = { ...metadataOf(first, environment, 'TAO'), did }
        const accrediting = tir.writeMetadata(second, first.signer)
        await asPremise('accrediting a TAO (see T04)', accrediting)
        const metadata = metadataOf(second, environment)
        await tir.writeMetadata(metadata, signer)
        await addData(context, metadata, { did, attributeId: second.attributeId, signer })
        const { attribute } = await tir.requireAttribute(metadata.did, metadata.attributeId)
        const { tao, rootTao } = attribute
        const expected = { tao: did, rootTao: await rootOf(context, root) }
        expectEqual('tao and rootTao', { tao, rootTao }, expected)
        return 'The attribute names the last TAO and the root'
      },
    },
    'T82-attributes-of-two-subjects': {
      title:
        'Each pair of subject and attributeId is one attribute, and a repeated publication changes nothing',
      level: 'practice',
      rows: ['2.endpoints/tir.2', '2.endpoints/tir.17'],
      description:
        'An attribute is found by its DID and its id. If only one of them is compared, an issuer gets the accreditation of another, or loses all of its accreditations with the first.',
      sends:
        'Publications of a TAO and a TI with the same attributeId, one of them twice, and of a second attribute of the TI, with data; then a revocation of the first attribute of the TI.',
      decides:
        'All are returned with their own issuerType, the second attribute does not change the first, and only the revoked one is revoked.',
      fix: 'Store attributes by DID and attributeId together. Do not change an attribute if its publication is repeated.',
      async observe(context) {
        const { tir, environment } = context
        const { by, metadata } = await publish(context, 'TAO')
        const other = { ...metadataOf(by, environment), attributeId: metadata.attributeId }
        await tir.writeMetadata(other, by.signer)
        for (const each of [metadata, other]) await addData(context, each, by)
        const first = await readFully(context, other)
        const second = { ...metadataOf(by, environment), did: other.did }
        await tir.writeMetadata(second, by.signer)
        const { did, attributeId } = second
        await tir.writeData({ did, attributeId, jwt: signBody(context, second, by) }, by.signer)
        const readAll = async () => [
          await readFully(context, metadata),
          await readFully(context, other),
          await readFully(context, second),
        ]
        const typesOf = (read: Awaited<ReturnType<typeof readAll>>) =>
          read.map(({ attribute }) => attribute.issuerType)
        const before = await readAll()
        expectEqual('the first attribute of the TI after its second one', before[1], first)
        expectEqual('issuerType of all', typesOf(before), ['TAO', 'TI', 'TI'])
        // Accepted or rejected: both are harmless.
        await tir.attemptMetadata(metadata, by.signer)
        expectEqual('the attributes after a repeated publication', await readAll(), before)
        const revocation = { ...other, issuerType: 'REVOKED' } as const
        const revoking = tir.writeMetadata(revocation, by.signer)
        await asPremise('revoking an attribute (see T12)', revoking)
        const revoked = typesOf(await readAll())
        expectEqual('issuerType of all after the revocation', revoked, ['TAO', 'REVOKED', 'TI'])
        return 'The three attributes are independent'
      },
    },
    'T83-data-by-its-subject': {
      title: 'The subject of an attribute can write its data',
      level: 'practice',
      expectation: 'advice',
      rows: ['2.endpoints/tir.11'],
      description:
        'An issuer renews its accreditation with the JWT that its TAO has signed, without waiting for the TAO.',
      sends:
        'setAttributeData by the subject of an attribute; then again after its TAO was revoked.',
      decides: 'Both are applied, the body is the latest JWT, and tao and rootTao stay the same.',
      fix: 'Accept setAttributeData from an account that controls did, and from an account that controls the TAO of the attribute. Keep tao and rootTao as published.',
      needs: ['accreditor', 'onboarding-node'],
      async observe(context) {
        const { tir, didRegistry, environment } = context
        const by = await context.accreditor()
        const [tao, subject] = [await didRegistry.register(), await didRegistry.register()]
        const own = { ...metadataOf(by, environment, 'TAO'), did: tao.did }
        await asPremise('accrediting a TAO (see T02)', tir.writeMetadata(own, by.signer))
        const metadata = { ...metadataOf(own, environment), did: subject.did }
        await asPremise('publishing an attribute (see T04)', tir.writeMetadata(metadata, tao))
        const { did, attributeId } = metadata
        const signer = { did: own.did, attributeId: own.attributeId, signer: tao }
        const root = await rootOf(context, by)
        for (const type of ['First', 'Second']) {
          const jwt = signBody(context, metadata, signer, type)
          await tir.writeData({ did, attributeId, jwt }, subject)
          const { attribute } = await tir.requireAttribute(did, attributeId)
          const { body, rootTao } = attribute
          const actual = { tao: attribute.tao, rootTao }
          expectEqual('tao and rootTao', actual, { tao: own.did, rootTao: root })
          const decoded = Buffer.from(body, 'base64url').toString('utf8')
          expectEqual(
            `the body after the ${type.toLowerCase()} write`,
            [body, decoded].includes(jwt),
            true,
          )
          const revoked = { ...own, issuerType: 'REVOKED' } as const
          if (type === 'Second') break
          await asPremise('revoking the TAO (see T12)', tir.writeMetadata(revoked, by.signer))
        }
        return 'The subject wrote its data twice'
      },
    },
    'T84-writes-by-the-operator': {
      title: 'The operator can publish, write data and revoke for any TAO',
      level: 'practice',
      expectation: 'advice',
      rows: ['2.resources-and-their-fields/types-used-in-the-tir.4', '2.authentication.1'],
      description:
        'The operator helps if a TAO has lost its key: without it, an issuer below that TAO could never be revoked.',
      sends:
        'setAttributeMetadata with TI, setAttributeData and REVOKED by the operator, in the name of a TAO; the TAO is revoked before the last one. Also by the operator: another role of the attribute, and the publication of a revoked one.',
      decides:
        'The first three are applied, and the attribute reads as TI, then as REVOKED. The other two are not.',
      fix: 'Accept each write of the operator in the contract, and require of it only what does not concern the sender: even the operator cannot change the role of an attribute, or undo a revocation.',
      needs: ['accreditor', 'operator'],
      async observe(context) {
        const { tir, environment, operator } = context
        const by = await context.accreditor()
        const tao = metadataOf(by, environment, 'TAO')
        await asPremise('accrediting a TAO (see T02)', tir.writeMetadata(tao, by.signer))
        const metadata = metadataOf(tao, environment)
        await tir.writeMetadata(metadata, operator)
        const { did, attributeId } = metadata
        const signer = { did: tao.did, attributeId: tao.attributeId, signer: by.signer }
        const jwt = signBody(context, metadata, signer)
        await tir.writeData({ did, attributeId, jwt }, operator)
        const first = await readFully(context, metadata)
        expectEqual('issuerType', first.attribute.issuerType, 'TI')
        // Below a TAO that is not revoked, so that only the published role is in the way.
        const promotion = await tir.attemptMetadata({ ...metadata, issuerType: 'TAO' }, operator)
        expectEqual('whether a TI becomes a TAO', promotion.isApplied, false)
        const revokedTao = { ...tao, issuerType: 'REVOKED' } as const
        await asPremise('revoking the TAO (see T12)', tir.writeMetadata(revokedTao, by.signer))
        await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, operator)
        const second = await readFully(context, metadata)
        expectEqual('issuerType after the revocation', second.attribute.issuerType, 'REVOKED')
        // Below a TAO that is not revoked, so that only the revocation is in the way.
        const { metadata: other } = await publish(context)
        await tir.writeMetadata({ ...other, issuerType: 'REVOKED' }, operator)
        const again = await tir.attemptMetadata(other, operator)
        expectEqual('whether the revocation can be undone', again.isApplied, false)
        return 'The operator published, wrote data and revoked, which is final'
      },
    },
    'T85-spellings-of-an-attribute-id': {
      title: 'An attributeId in upper case names the same attribute as in lower case',
      level: 'practice',
      rows: ['2.endpoints/tir.2', '2.resources-and-their-fields/types-used-in-the-tir.2'],
      description: 'Hex has two spellings. A write in one of them must be found with the other.',
      sends:
        'A publication with revisionId and attributeIdTao in upper case; then GET with upper case and with lower case.',
      decides:
        'Both reads return the attribute, with the same members apart from the case of hash.',
      fix: 'Convert hex to bytes before you store or compare it.',
      async observe(context) {
        const { tir, environment } = context
        const by = await context.accreditor()
        const attributeId = randomBytes(32).toString('hex')
        const metadata = {
          ...metadataOf(by, environment),
          attributeId: attributeId.toUpperCase(),
          attributeIdTao: by.attributeId.toUpperCase(),
        }
        await tir.writeMetadata(metadata, by.signer)
        await addData(context, { ...metadata, attributeId }, by)
        const read = async (id: string) => {
          const { did } = metadata
          const { answer, attribute } = await readFully(context, { did, attributeId: id })
          return { did: answer.did, ...attribute, hash: String(attribute.hash).toLowerCase() }
        }
        const lower = await read(attributeId)
        expectEqual('hash', lower.hash, attributeId)
        expectEqual('the attribute in upper case', await read(attributeId.toUpperCase()), lower)
        return 'Both spellings name the same attribute'
      },
    },
  },
  observing('accreditor'),
)
