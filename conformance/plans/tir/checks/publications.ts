import { membersOf } from '#core/json/json-object.ts'
import type { AttributeData } from '#core/registries/tir-client.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asUnusual, requireJson } from '../../../kit/classify-answer.ts'
import { findLateCopies, findStaleCopy } from '../../registries/findings.ts'
import { type TirContext, whyRejected } from '../context.ts'
import {
  addData,
  correctData,
  correctMetadata,
  dataByOutsider,
  metadataByOutsider,
  metadataOf,
  publish,
  rootOf,
  signBody,
} from '../publications.ts'
import { requireResult } from '../rpc.ts'

/** As many types of credentials as make an accreditation of 12,000 bytes. */
const manyTypes = Array.from({ length: 240 }, (_, at) => `OrgPortalLearCredentialOfDepartment${at}`)

export const checks = defineChecks<TirContext>({
  'T01-unsigned-transactions': {
    title: 'Both build methods return an unsigned transaction in hex',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.what-the-service-does.2',
      '2.endpoints/tir.10',
      '2.endpoints/tir.11',
      '2.resources-and-their-fields/unsigned-transaction.1',
      '2.resources-and-their-fields/unsigned-transaction.6',
      '2.resources-and-their-fields/unsigned-transaction.9',
    ],
    description:
      'Clients pass the members to a signing library, which accepts only hex with 0x; a value above zero would transfer money.',
    sends:
      'setAttributeMetadata and setAttributeData with correct parameters, by a TAO if the target has an accreditor, and by an account without authority; the results are not signed.',
    decides:
      'The results have to, data, gasLimit, gasPrice, chainId, nonce, value and from as 0x-hex, value 0, the given from, and the same contract in to. The account without authority, which has sent no transaction, gets the nonce 0x0. It may get an error instead.',
    fix: 'Return to, data, gasLimit, gasPrice, chainId, nonce and value as 0x-hex, with value 0x0, from as in the call, the contract of the TIR as to, and the number of transactions that from has sent as nonce (eth_getTransactionCount, pending).',
    async run(context) {
      const { tir, canAccredit } = context
      const contracts = new Set<unknown>()
      const check = (method: string, answer: HttpAnswer, from: string) => {
        const built = requireResult(answer, method, whyRejected(context)) as Record<string, unknown>
        for (const member of ['gasLimit', 'gasPrice', 'chainId', 'nonce', 'value']) {
          expectMatch(`${member} of ${method}`, built[member], /^0x[0-9a-f]+$/i)
        }
        expectMatch(`to of ${method}`, built.to, /^0x[0-9a-f]{40}$/i)
        expectMatch(`data of ${method}`, built.data, /^0x(?:[0-9a-f]{2})+$/i)
        expectEqual(`value of ${method}`, Number(built.value), 0)
        expectEqual(`from of ${method}`, String(built.from).toLowerCase(), from.toLowerCase())
        contracts.add(String(built.to).toLowerCase())
      }
      const correct = {
        setAttributeMetadata: await correctMetadata(context),
        setAttributeData: await correctData(context),
      }
      for (const [method, parameters] of Object.entries(correct)) {
        check(method, await tir.call(method, parameters), String(parameters.from))
      }
      const byOutsider = {
        setAttributeMetadata: metadataByOutsider(context),
        setAttributeData: dataByOutsider(context),
      }
      // A TIR may reject what the chain would revert.
      for (const [method, parameters] of Object.entries(canAccredit ? byOutsider : {})) {
        const answer = await tir.call(method, parameters)
        const { error, result } = membersOf(answer.json)
        if (error !== undefined) continue
        check(method, answer, String(parameters.from))
        // With a nonce that is too high, no transaction is mined, so that no other check sees why.
        const { nonce } = membersOf(result)
        expectEqual(`nonce of ${method} by a new account`, Number(nonce), 0)
      }
      expectEqual('number of contracts', contracts.size, 1)
      return held('Both methods return unsigned transactions in the documented form')
    },
  },
  'T02-publish-accreditation': {
    title: 'setAttributeMetadata and setAttributeData, signed and sent, publish an accreditation',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.what-the-service-does.3',
      '2.endpoints/tir.10',
      '2.endpoints/tir.11',
      '2.endpoints/tir.17',
      '2.resources-and-their-fields/tir-attribute.1',
      '2.resources-and-their-fields/tir-attribute.3',
    ],
    description:
      'Verifiers trust an issuer because of its attribute under its DID and attributeId.',
    sends:
      'GET of a new attribute, whose attributeId begins and ends with zero bytes; then both writes by an accredited TAO, each awaited at the chain node, and GET again.',
    decides:
      'Both receipts have status 0x1; the attribute has the did, and the attributeId as hash.',
    fix: 'Publish the attribute when both transactions are mined, even if its subject is not in the DID registry. Return it with did, and with all 64 digits of the attributeId, without 0x, as hash.',
    needs: ['accreditor'],
    async run(context) {
      const by = await context.accreditor()
      const random = metadataOf(by, context.environment)
      const attributeId = `0000${random.attributeId.slice(8)}0000`
      const metadata = { ...random, attributeId }
      const { did } = metadata
      // What a cache remembers of the unknown attribute must not outlive its publication.
      await context.tir.getAttribute(did, attributeId)
      await context.tir.writeMetadata(metadata, by.signer)
      const data = { did, attributeId, jwt: signBody(context, metadata, by) }
      await context.tir.writeData(data, by.signer)
      const { did: subject, attribute } = await context.tir.requireAttribute(did, attributeId)
      expectEqual('did', subject, did)
      expectEqual('hash', attribute.hash.toLowerCase(), attributeId)
      return held('The accreditation is published under its DID and attributeId')
    },
  },
  'T03-body-is-the-jwt': {
    title: 'The body of an attribute is the published accreditation JWT, unchanged',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.resources-and-their-fields/tir-attribute.2', '2.endpoints/tir.11'],
    description:
      'A verifier checks its signature: a single changed letter invalidates the accreditation.',
    sends:
      'setAttributeData with a JWT, and for a second attribute with one of more than 12,000 bytes; then GET of each.',
    decides:
      'attribute.body is the text of the JWT, unchanged or additionally in base64url. The profile does not limit the length, but rejecting the long JWT is a WARN.',
    fix: 'Return the bytes of attributeData as attribute.body, as text or in base64url. Do not decode and serialize the JWT again.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const prepare = async (types?: readonly string[]) => {
        const { by, metadata } = await publish(context)
        const { did, attributeId } = metadata
        return { by, data: { did, attributeId, jwt: signBody(context, metadata, by, types) } }
      }
      const requireUnchanged = async ({ did, attributeId, jwt }: AttributeData) => {
        const { attribute } = await tir.requireAttribute(did, attributeId)
        requireBody(attribute.body, jwt)
      }
      const usual = await prepare()
      await tir.writeData(usual.data, usual.by.signer)
      await requireUnchanged(usual.data)
      const long = await prepare(manyTypes)
      const { isApplied, observed } = await asUnusual(tir.attemptData(long.data, long.by.signer))
      if (!isApplied) {
        const what = `setAttributeData with a JWT of ${long.data.jwt.length} bytes`
        return broken(`${what} ${observed}`, { level: 'practice' })
      }
      await requireUnchanged(long.data)
      return held('The body is the published JWT')
    },
  },
  'T04-tao-and-root': {
    title: 'An attribute contains the TAO that accredited it and the root of its chain',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.resources-and-their-fields/tir-attribute.4',
      '2.resources-and-their-fields/tir-attribute.5',
      '2.resources-and-their-fields/tir-attribute.6',
    ],
    description: 'Verifiers follow them up the chain of trust to a root that they know.',
    sends: 'A TAO below the root accredits a TI.',
    decides: 'issuerType is TI, tao is the TAO, and rootTao is the root of the TAO’s own chain.',
    fix: 'Return taoDid of the publication as attribute.tao. Follow the parents up to the RTAO, and return its DID as attribute.rootTao.',
    needs: ['accreditor', 'onboarding-node'],
    async run(context) {
      const { tir, environment } = context
      const root = await context.accreditor()
      const tao = await context.otherAccreditor()
      const metadata = metadataOf(tao, environment)
      await tir.writeMetadata(metadata, tao.signer)
      await addData(context, metadata, tao)
      const { attribute } = await tir.requireAttribute(metadata.did, metadata.attributeId)
      const { issuerType, tao: taoDid, rootTao } = attribute
      expectEqual(
        'issuerType, tao, rootTao',
        { issuerType, tao: taoDid, rootTao },
        { issuerType: 'TI', tao: tao.did, rootTao: await rootOf(context, root) },
      )
      return held('The attribute names its TAO and the root')
    },
  },
  'T05-root-by-operator': {
    title: 'The operator publishes a ROOT_TAO, which reads as RTAO',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.resources-and-their-fields/types-used-in-the-tir.4',
      '2.resources-and-their-fields/tir-attribute.4',
      '2.endpoints/tir.10',
    ],
    description: 'The name differs between reads and writes; verifiers look for RTAO.',
    sends:
      'setAttributeMetadata with issuerType ROOT_TAO and setAttributeData, signed by the operator: once with the root itself as taoDid, and once with another DID. Then REVOKED for the first one.',
    decides:
      'issuerType of the attribute is RTAO, and rootTao is its own DID. The profile does not say what a root names as its TAO: if the root itself is rejected, the check is inconclusive. If another DID is accepted, tao and rootTao are that DID or the root. The root gets its body, and reads as REVOKED afterwards; otherwise the result is a WARN.',
    fix: 'Accept issuerType ROOT_TAO from the operator. Return RTAO as attribute.issuerType, and the DID itself as attribute.rootTao.',
    needs: ['operator'],
    async run(context) {
      const { tir, didRegistry, environment, operator } = context
      const signer = didRegistry.createIdentity()
      const { did } = signer
      const { attributeId } = metadataOf({ did, attributeId: '' }, environment)
      const above = { taoDid: did, attributeIdTao: attributeId }
      const metadata = { did, attributeId, issuerType: 'ROOT_TAO', ...above } as const
      const { isApplied, observed } = await tir.attemptMetadata(metadata, operator)
      if (!isApplied) {
        const what = 'A ROOT_TAO that names itself as its TAO'
        return inconclusive(`${what} ${observed}; the profile does not say what a root names.`)
      }
      const itself = { did, attributeId, signer }
      const writing = await addData(context, metadata, itself, operator)
      const answer = await tir.getAttribute(did, attributeId)
      const { attribute } = requireJson(answer, 'The root’s attribute') as Record<string, object>
      expectIncludes('the attribute', attribute as Record<string, unknown>, {
        issuerType: 'RTAO',
        rootTao: did,
      })
      const named = metadataOf({ did: didRegistry.createIdentity().did, attributeId }, environment)
      const other = { ...named, issuerType: 'ROOT_TAO' } as const
      if ((await tir.attemptMetadata(other, operator)).isApplied) {
        await addData(context, other, itself, operator)
        const read = await tir.requireAttribute(other.did, other.attributeId)
        const { tao, rootTao } = read.attribute
        const isNamed = [tao, rootTao].every((each) => [other.did, other.taoDid].includes(each))
        expectTrue('tao and rootTao are the root or taoDid', isNamed, { tao, rootTao })
      }
      if (!writing.isApplied) {
        const reason = `setAttributeData of a ROOT_TAO by the operator ${writing.observed}`
        return broken(reason, { level: 'practice' })
      }
      const revocation = { ...metadata, issuerType: 'REVOKED' } as const
      const { isApplied: isRevoked, observed: how } = await tir.attemptMetadata(
        revocation,
        operator,
      )
      const { issuerType } = (await tir.requireAttribute(did, attributeId)).attribute
      if (!isRevoked || issuerType !== 'REVOKED') {
        const reason = `A revocation of a ROOT_TAO by the operator ${how}, and it reads as ${issuerType}`
        return broken(reason, { level: 'practice', expected: 'REVOKED', actual: issuerType })
      }
      return held('The ROOT_TAO reads as RTAO, and as REVOKED after its revocation')
    },
  },
  'T12-revoke': {
    title: 'REVOKED by the publishing TAO revokes an attribute, which then reads as REVOKED',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.states-and-transitions.7',
      '2.resources-and-their-fields/types-used-in-the-tir.4',
      '2.resources-and-their-fields/tir-attribute.4',
    ],
    description: 'After that, no verifier may accept a credential of this issuer.',
    sends:
      'GET of an attribute; then setAttributeMetadata with issuerType REVOKED and the taoDid of the publication, and GET again, also with the validators of the first response (ETag, Last-Modified).',
    decides:
      'The receipt has status 0x1, and issuerType of the attribute is REVOKED. If caches may return the first response for more than five seconds (Cache-Control, Expires), or 304 confirms it, the result is a WARN.',
    fix: 'Accept issuerType REVOKED from the TAO that published the attribute, and return REVOKED as attribute.issuerType, including to clients that read it before. Set max-age to 5 seconds or less, or no-cache.',
    needs: ['accreditor'],
    async run(context) {
      const { by, metadata } = await publish(context)
      const { did, attributeId } = metadata
      await addData(context, metadata, by)
      const before = await context.tir.getAttribute(did, attributeId)
      await context.tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
      const answer = await context.tir.getAttribute(did, attributeId)
      const { attribute } = requireJson(answer, 'The revoked attribute') as Record<string, object>
      expectIncludes('the attribute', attribute as Record<string, unknown>, {
        issuerType: 'REVOKED',
      })
      const stale = await findStaleCopy(context.httpAs('verifier'), before)
      return stale ?? findLateCopies(before) ?? held('The attribute reads as REVOKED')
    },
  },
  'T17-revoked-body-stays': {
    title: 'A revoked attribute still has its last body',
    level: 'practice',
    expectation: 'advice',
    rows: ['2.resources-and-their-fields/tir-attribute.2', '2.states-and-transitions.7'],
    description:
      'The reader of an old credential can still see what was accredited, and until when.',
    sends: 'An attribute with data is revoked.',
    decides: 'attribute.body is the published JWT.',
    fix: 'Change only issuerType when an attribute is revoked, and keep returning its last attribute.body.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const { by, metadata } = await publish(context)
      const { did, attributeId } = metadata
      const jwt = signBody(context, metadata, by)
      await tir.writeData({ did, attributeId, jwt }, by.signer)
      await tir.writeMetadata({ ...metadata, issuerType: 'REVOKED' }, by.signer)
      const { attribute } = await tir.requireAttribute(did, attributeId)
      requireBody(attribute.body, jwt)
      return held('The revoked attribute still has its body')
    },
  },
  'T18-latest-revision': {
    title: 'A read returns the data of the latest setAttributeData',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/tir.11', '2.resources-and-their-fields/tir-attribute.2'],
    description: 'An accreditation is renewed under the same attributeId before it expires.',
    sends: 'setAttributeData twice for one attribute, with two JWTs; GET after each of them.',
    decides: 'attribute.body is the first JWT, and then the second one.',
    fix: 'Return the data of the latest setAttributeData that was mined as attribute.body. Do not serve an older one from a cache.',
    needs: ['accreditor'],
    async run(context) {
      const { by, metadata } = await publish(context)
      const { did, attributeId } = metadata
      for (const type of ['First', 'Second']) {
        const jwt = signBody(context, metadata, by, type)
        await context.tir.writeData({ did, attributeId, jwt }, by.signer)
        const { attribute } = await context.tir.requireAttribute(did, attributeId)
        requireBody(attribute.body, jwt)
      }
      return held('The latest revision is returned')
    },
  },
  'T65-metadata-of-the-read': {
    title: 'An attribute with metadata and without data exists, with an empty body',
    level: 'practice',
    expectation: 'advice',
    rows: ['2.endpoints/tir.13', '2.endpoints/tir.17'],
    description:
      'Between its two transactions a publisher checks whether the first one was applied.',
    sends: 'Only setAttributeMetadata; then GET of the attribute.',
    decides: 'HTTP 200 with the issuerType and an empty body: an empty string, null or none.',
    fix: 'Return an attribute when its metadata is mined, with issuerType and an empty string as body until there is data.',
    needs: ['accreditor'],
    async run(context) {
      const { metadata } = await publish(context)
      const { attribute } = await context.tir.requireAttribute(metadata.did, metadata.attributeId)
      const { issuerType, body } = attribute
      expectEqual('issuerType and body', { issuerType, body }, { issuerType: 'TI', body: '' })
      return held('The attribute exists, with an empty body')
    },
  },
})

/**
 * The body of an attribute is a JWT: unchanged, or additionally in base64url, since "accreditation
 * JWT, base64url" can be read as either.
 */
function requireBody(body: string, jwt: string): void {
  const decoded = Buffer.from(body, 'base64url').toString('utf8')
  expectEqual('body', decoded === jwt ? decoded : body, jwt)
}
