import { randomBytes } from 'node:crypto'
import { didPrefixes } from '#core/did/did-org.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineChecks } from '../../../kit/define-check.ts'
import { held } from '../../../kit/finding.ts'
import { createFreshIdentity } from '../../registries/did-registry-under-test.ts'
import { requireVerdict } from '../../registries/findings.ts'
import type { TirContext } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { correctRequest } from '../correct-request.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { findMetadataRefused } from '../find-metadata-refused.ts'
import { findRpcError } from '../find-rpc-error.ts'
import { metadataOf } from '../metadata-of.ts'
import { requireControl } from '../require-control.ts'
import { rpcRequest } from '../rpc-request.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const checks = defineChecks<TirContext>({
  'T21-parse-error': {
    title: 'A body that is no JSON is answered with -32700',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/tir.1', '2.endpoints/tir.8'],
    clauses: ['JSON-RPC 2.0, 5.1'],
    description: 'By the code a client finds what it has cut.',
    sends: 'Half of a request, two requests in a row, and a text that is no JSON.',
    decides: 'error.code -32700 for each of them.',
    async run(context) {
      const { tir } = context
      const text = JSON.stringify(rpcRequest('setAttributeData', {}))
      return findEachRpcError(
        {
          'half of a JSON text': () => tir.post(text.slice(0, -3)),
          'two JSON texts in a row': () => tir.post(text + text),
          'single quotes': () => tir.post(text.replaceAll('"', "'")),
        },
        -32700,
        correctRequest(context),
      )
    },
  },
  'T22-invalid-request': {
    title: 'What is no JSON-RPC 2.0 request is answered with -32600',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.6', '2.endpoints/tir.8', '2.errors/tir.2', '2.versioning.2'],
    clauses: ['JSON-RPC 2.0, 4'],
    description: 'A server that guesses what was meant writes things that nobody asked for.',
    sends: 'Requests without jsonrpc, of version 1.0, without method, with a number as method.',
    decides: 'error.code -32600 for each of them.',
    async run(context) {
      const { tir } = context
      const method = 'setAttributeData'
      const params: unknown[] = [{}]
      return findEachRpcError(
        {
          'no jsonrpc': () => tir.post({ id: 1, method, params }),
          'jsonrpc 1.0': () => tir.post({ jsonrpc: '1.0', id: 1, method, params }),
          'no method': () => tir.post({ jsonrpc: '2.0', id: 1, params }),
          'a number as method': () => tir.post({ jsonrpc: '2.0', id: 1, method: 1, params }),
          'a text in place of an object': () => tir.post('"setAttributeData"'),
        },
        -32600,
        correctRequest(context),
      )
    },
  },
  'T23-method-not-found': {
    title: 'A method that is not there is answered with -32601',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/tir.3', '2.endpoints/tir.8'],
    clauses: ['JSON-RPC 2.0, 5.1'],
    description: 'By the code a client finds its typing error.',
    sends: 'Methods with a typing error, in small letters, and with names that objects inherit.',
    decides: 'error.code -32601 for each of them.',
    async run(context) {
      const { tir } = context
      const names = ['setAttributeMetaData', 'setattributedata', 'constructor', '__proto__', '']
      const requests = names.map(
        (name) => [`the method “${name}”`, () => tir.post(rpcRequest(name, {}))] as const,
      )
      return findEachRpcError(Object.fromEntries(requests), -32601, correctRequest(context))
    },
  },
  'T24-required-params': {
    title: 'A missing parameter is answered with -32602',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.10', '2.endpoints/tir.11', '2.errors/tir.4'],
    description: 'All are required: a default in its place would go on a chain for ever.',
    sends: 'Both build methods without each of their parameters, one after the other.',
    decides: 'error.code -32602 for each of them.',
    async run({ tir, didRegistry, environment }) {
      const { did: taoDid, address: from } = didRegistry.createIdentity()
      const metadata = metadataOf({ did: taoDid, attributeId: '1'.repeat(64) }, environment)
      const { did, attributeId } = metadata
      const correct = {
        setAttributeMetadata: wireMetadata(metadata, from),
        setAttributeData: { from, did, attributeId: `0x${attributeId}`, attributeData: '0x61' },
      }
      const requests = Object.entries(correct).flatMap(([method, parameters]) =>
        Object.keys(parameters).map((missing) => {
          const { [missing]: _, ...rest } = parameters as Record<string, unknown>
          return [`no ${missing} of ${method}`, () => tir.post(rpcRequest(method, rest))] as const
        }),
      )
      const control = () =>
        tir.post(rpcRequest('setAttributeMetadata', correct.setAttributeMetadata))
      return findEachRpcError(Object.fromEntries(requests), -32602, control)
    },
  },
  'T25-invalid-address': {
    title: 'An address that is none is answered with -32602',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.resources-and-their-fields/types-used-in-the-tir.1',
      '2.endpoints/tir.10',
      '2.errors/tir.4',
    ],
    description: 'The transaction is built for its nonce; of another account it can’t be sent.',
    sends: 'setAttributeMetadata with from too short, too long, without 0x, and no hex.',
    decides: 'error.code -32602 for each of them.',
    run(context) {
      const { address } = context.didRegistry.createIdentity()
      return findMetadataRefused(context, {
        'an address without 0x': { from: address.slice(2) },
        'an address that is too short': { from: address.slice(0, -1) },
        'an address that is too long': { from: `${address}0` },
        'an address that is no hex': { from: `${address.slice(0, -1)}g` },
        'a number as address': { from: 1 },
      })
    },
  },
  'T26-malformed-did': {
    title: 'A malformed DID, or one of the other environment, is answered with -32602',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.resources-and-their-fields/types-used-in-the-tir.3',
      '2.endpoints/tir.10',
      '2.errors/tir.4',
    ],
    description:
      'An accreditation under a DID of the other environment is found by nobody, and can’t be removed.',
    sends: 'setAttributeMetadata with such values as did and as taoDid.',
    decides: 'error.code -32602 for each of them.',
    run(context) {
      const { environment } = context
      const other = createFreshIdentity(environment === 'pre' ? 'pro' : 'pre').did
      const key = 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'
      return findMetadataRefused(context, {
        'a did:key as did': { did: key },
        'a did:key as taoDid': { taoDid: key },
        'a did without an identifier': { did: didPrefixes[environment] },
        'a taoDid without an identifier': { taoDid: didPrefixes[environment] },
        'a did of the other environment': { did: other },
        'a taoDid of the other environment': { taoDid: other },
        'a number as did': { did: 1 },
      })
    },
  },
  'T27-unknown-issuer-type': {
    title: 'An unknown issuerType is answered with -32602',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.resources-and-their-fields/types-used-in-the-tir.4',
      '2.endpoints/tir.10',
      '2.errors/tir.4',
    ],
    description: 'A guess at what was meant may make a root of an issuer.',
    sends: 'setAttributeMetadata with other words, the name that reads use, and small letters.',
    decides: 'error.code -32602 for each of them.',
    run(context) {
      return findMetadataRefused(context, {
        'an unknown issuerType': { issuerType: 'ISSUER' },
        'the issuerType that reads tell': { issuerType: 'RTAO' },
        'an issuerType in small letters': { issuerType: 'ti' },
        'an empty issuerType': { issuerType: '' },
        'null as issuerType': { issuerType: null },
      })
    },
  },
  'T28-numeric-issuer-type': {
    title: 'A numeric issuerType is answered with -32602',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.resources-and-their-fields/types-used-in-the-tir.4'],
    description: 'Numeric values are not accepted: off by one, and a TI becomes a TAO.',
    sends: 'setAttributeMetadata with issuerType 1, 3, 4 and "3".',
    decides: 'error.code -32602 for each of them.',
    run(context) {
      return findMetadataRefused(context, {
        'issuerType 1': { issuerType: 1 },
        'issuerType 3': { issuerType: 3 },
        'issuerType 4': { issuerType: 4 },
        'issuerType "3"': { issuerType: '3' },
      })
    },
  },
  'T29-none-is-not-published': {
    title: 'issuerType NONE is not published',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.resources-and-their-fields/types-used-in-the-tir.4', '2.endpoints/tir.10'],
    description:
      'It means no role and is not used in publications: it would be an attribute of nothing.',
    sends: 'setAttributeMetadata with issuerType NONE.',
    decides: 'error.code -32602.',
    run(context) {
      return findMetadataRefused(context, { 'issuerType NONE': { issuerType: 'NONE' } })
    },
  },
  'T30-revision-id-form': {
    title: 'A revisionId that is not 0x and 64 hex characters is answered with -32602',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.limits.5', '2.endpoints/tir.10'],
    description: 'Padded or cut it is another attribute than the accreditation tells of.',
    sends:
      'setAttributeMetadata with revisionIds that are too short, too long, without 0x, no hex.',
    decides: 'error.code -32602 for each of them.',
    run(context) {
      const id = randomBytes(32).toString('hex')
      return findMetadataRefused(context, {
        'a revisionId that is too short': { revisionId: `0x${id.slice(2)}` },
        'a revisionId that is too long': { revisionId: `0x${id}00` },
        'a revisionId without 0x': { revisionId: id },
        'a revisionId that is no hex': { revisionId: `0x${id.slice(1)}g` },
        'an empty revisionId': { revisionId: '0x' },
      })
    },
  },
  'T31-attribute-data-form': {
    title: 'attributeData that is not hex with 0x is answered with -32602',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.11', '2.resources-and-their-fields/types-used-in-the-tir.2'],
    description: 'A JWT that was not encoded must not be stored as something else.',
    sends: 'setAttributeData with the JWT itself, with hex without 0x, and with what is no hex.',
    decides: 'error.code -32602 for each of them.',
    async run({ tir, didRegistry }) {
      const correct = correctData(didRegistry)
      const send = (attributeData: unknown) => () =>
        tir.post(rpcRequest('setAttributeData', { ...correct, attributeData }))
      return findEachRpcError(
        {
          'the JWT itself': send('e30.e30.c2ln'),
          'hex without 0x': send('6530302e'),
          'letters that are no hex': send('0xzz'),
          'a list of bytes': send([101, 51]),
        },
        -32602,
        send('0x61'),
      )
    },
  },
  'T32-params-form': {
    title: 'params other than an array of one object is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.6', '2.endpoints/tir.8'],
    description: 'Of two objects one would be left out, and its sender would not know.',
    sends: 'setAttributeData with an object as params, an empty array, and an array of two.',
    decides: 'error.code -32602 for each of them, or -32600.',
    async run({ tir, didRegistry }) {
      const correct = correctData(didRegistry)
      const send = (params: unknown) => () =>
        tir.post({ jsonrpc: '2.0', id: 1, method: 'setAttributeData', params })
      return findEachRpcError(
        {
          'an object as params': send(correct),
          'empty params': send([]),
          'two objects in params': send([correct, correct]),
          'a list in params': send([[correct]]),
        },
        // The envelope may be judged before the parameters are.
        [-32602, -32600],
        send([correct]),
      )
    },
  },
  'T36-empty-batch': {
    title: 'An empty batch is answered with a single -32600',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['JSON-RPC 2.0, 6'],
    description: 'It is no request; a client that gets nothing waits.',
    sends: 'An empty list.',
    decides: 'One answer, no list, with error.code -32600.',
    async run(context) {
      const { tir } = context
      await requireControl(correctRequest(context))
      return findRpcError(await tir.post([]), { what: 'An empty batch', code: -32600 })
    },
  },
  'T38-internal-error': {
    title: 'While the chain is away, a request is answered with -32603',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/tir.5', '2.endpoints/tir.8'],
    clauses: ['JSON-RPC 2.0, 5.1'],
    description: 'By the code a client knows that it did nothing wrong, and tries again later.',
    sends: 'A correct setAttributeData while the TIR is cut off from its chain.',
    decides: 'error.code -32603.',
    needs: ['outage'],
    async run(context) {
      const { tir, didRegistry, setChainOutage } = context
      await requireControl(correctRequest(context))
      const correct = correctData(didRegistry)
      await setChainOutage(true)
      const answer = await tir.post(rpcRequest('setAttributeData', correct))
      await setChainOutage(false)
      return findRpcError(answer, { what: 'A request without a chain', code: -32603 })
    },
  },
  'T39-no-api-key': {
    title: 'A request without API key is answered with -32600 and not carried out',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.authentication.2', '2.endpoints/tir.1', '2.errors/tir.2'],
    description: 'Otherwise anybody uses the registry’s way to the chain.',
    sends: 'A correct setAttributeData with and without x-api-key.',
    decides: 'error.code -32600, and no result.',
    async run({ tir, didRegistry }) {
      const correct = correctData(didRegistry)
      const request = rpcRequest('setAttributeData', correct)
      return findEachRpcError(
        { 'no API key': () => tir.post(request, { 'x-api-key': '' }) },
        -32600,
        () => tir.post(request),
      )
    },
  },
  'T40-wrong-api-key': {
    title: 'A request with a wrong API key is answered with -32600 and not carried out',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.authentication.2', '2.errors/tir.2'],
    description: 'A key that is only looked for, and not at, is none.',
    sends: 'A correct setAttributeData with another key and with a word, then with the right one.',
    decides: 'error.code -32600, and no result, each time but the last.',
    async run({ tir, didRegistry }) {
      const correct = correctData(didRegistry)
      const request = rpcRequest('setAttributeData', correct)
      const send = (key: string) => () => tir.post(request, { 'x-api-key': key })
      return findEachRpcError(
        {
          'another API key': send(randomBytes(24).toString('base64url')),
          'a word as API key': send('key'),
        },
        -32600,
        () => tir.post(request),
      )
    },
  },
  'T62-other-content-types': {
    title: 'A request of another content type than JSON is refused',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.1'],
    clauses: ['RFC 9110, 15.5.16'],
    description:
      'A page of somebody else’s can make a browser post text/plain anywhere without asking; no API should act on it.',
    sends: 'A correct setAttributeData as text/plain, as a form and as XML.',
    decides: 'A 4xx, or an error of JSON-RPC, for each of them.',
    async run(context) {
      const { tir, didRegistry } = context
      await requireControl(correctRequest(context))
      const correct = correctData(didRegistry)
      const text = JSON.stringify(rpcRequest('setAttributeData', correct))
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
        const answer = requireVerdict(await tir.post(text, { 'content-type': type }))
        const { result } = (answer.json ?? {}) as { result?: unknown }
        expectEqual(`the result of a request as ${type}`, result, undefined)
      }
      return held('Other content types were refused')
    },
  },
  'T64-member-twice': {
    title: 'A member that stands twice in a request is refused',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['RFC 8259, 4'],
    description:
      'Two readers read two different requests: whoever checks one before it reaches the TIR sees another method than the TIR does.',
    sends: 'A correct setAttributeData with two members method.',
    decides: 'error.code -32700 or -32600, and no result.',
    async run(context) {
      const { tir, didRegistry } = context
      await requireControl(correctRequest(context))
      const correct = correctData(didRegistry)
      const text = JSON.stringify(rpcRequest('setAttributeData', correct))
      const { json } = requireVerdict(await tir.post(`{"method":"health",${text.slice(1)}`))
      const { result, error } = (json ?? {}) as { result?: unknown; error?: { code?: unknown } }
      expectEqual('the result', result, undefined)
      expectTrue(
        'the code is -32700 or -32600',
        [-32700, -32600].includes(Number(error?.code)),
        json,
      )
      return held(`Two members of one name were refused with ${error?.code}`)
    },
  },
})
