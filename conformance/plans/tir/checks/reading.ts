import { randomBytes } from 'node:crypto'
import { membersOf } from '#core/json/json-object.ts'
import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import { defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, findRefusal, requireAnswer, requireJson } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { inOtherEnvironment, withOtherCase } from '../../../kit/near-misses.ts'
import { findDocumentation, metricLine } from '../../../kit/read-pages.ts'
import { hashOfTransaction } from '../../registries/chain-receipts.ts'
import {
  chunkedBody,
  findChunksRead,
  findEachRefused,
  findHeadAnswered,
  findOneRefused,
  requireVerdict,
} from '../../registries/findings.ts'
import type { TirContext } from '../context.ts'
import {
  correctData,
  dataByOutsider,
  prepareSending,
  publish,
  signBody,
  signSending,
} from '../publications.ts'
import { requireResult, rpcRequest } from '../rpc.ts'

/** Replaces the last character by another valid character. */
const withOtherEnd = (text: string) => `${text.slice(0, -1)}${text.endsWith('2') ? '3' : '2'}`

/** How many clients call at the same time. */
const clients = 4

const forEach = <Result>(make: (at: number) => Result): Result[] =>
  Array.from({ length: clients }, (_, at) => make(at))

/** Publishes attributes with data, and returns their paths below the address of the TIR. */
async function publishEach(context: TirContext): Promise<string[]> {
  const paths: string[] = []
  while (paths.length < clients) {
    const { by, metadata } = await publish(context)
    const { did, attributeId } = metadata
    const data = { did, attributeId, jwt: signBody(context, metadata, by) }
    await asPremise('setAttributeData (see T02)', context.tir.writeData(data, by.signer))
    paths.push(`/v1/issuers/${encodeURIComponent(did)}/attributes/${attributeId}`)
  }
  return paths
}

/**
 * params[0] of a setAttributeData of each client: by accounts without authority, unless the TIR
 * rejects what the chain would revert.
 */
async function dataOfEach(context: TirContext): Promise<Record<string, unknown>[]> {
  const { json } = await context.tir.call('setAttributeData', dataByOutsider(context))
  const isBuilt = membersOf(json).error === undefined
  return Promise.all(forEach(() => (isBuilt ? dataByOutsider : correctData)(context)))
}

export const checks = defineChecks<TirContext>({
  'T41-health': {
    title: '/health returns status and uptime, without a key',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.3', '2.authentication.3'],
    description: 'The operator of the registry monitors it there.',
    sends: 'GET /health without a key.',
    decides: 'HTTP 200 with status ok and a number as uptime.',
    fix: 'Respond to GET /health with 200, the string ok as status, and uptime as a number. Require no key.',
    async run({ tir }) {
      const { status, uptime } = requireJson(await tir.get('/health'), 'GET /health')
      expectEqual('status', status, 'ok')
      expectEqual('type of uptime', typeof uptime, 'number')
      return held('/health returns status and uptime')
    },
  },
  'T42-metrics': {
    title: '/metrics returns metrics as text, without a key',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.4', '2.authentication.3'],
    description: 'The operator of the registry collects them.',
    sends: 'GET /metrics without a key.',
    decides: 'HTTP 200 with metrics in the Prometheus format.',
    fix: 'Serve GET /metrics in the text format of Prometheus. Require no key.',
    async run({ tir }) {
      const answer = requireAnswer(await tir.get('/metrics'), 'GET /metrics')
      expectMatch('content type', answer.contentType, /^(text\/|application\/openmetrics-text)/)
      expectMatch('the text', answer.text, metricLine)
      return held('/metrics returns metrics')
    },
  },
  'T43-documentation': {
    title: 'The interactive documentation is at /api-docs',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.5', '2.what-the-service-does.4'],
    description: 'Developers who integrate the registry start there.',
    sends: 'GET /api-docs without a key.',
    decides: 'HTTP 200 with an HTML page, possibly after redirects.',
    fix: 'Serve the documentation as an HTML page at GET /api-docs. Require no key.',
    run: ({ httpAs, tirBaseUrl }) =>
      findDocumentation(httpAs('developer'), `${tirBaseUrl}/api-docs`),
  },
  'T59-unknown-attribute': {
    title: 'An unknown attribute returns 404',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/tir.6', '2.endpoints/tir.2'],
    description: 'A verifier relies on the response about an issuer.',
    sends: 'GET of an unknown DID, of an unknown attributeId, and of near misses of both.',
    decides:
      'HTTP 404 for each of them. A DID or an attributeId of another form may also be rejected with 400.',
    fix: 'If the DID or the attributeId is unknown, return 404. Compare both exactly: do not cut them, remove spaces or ignore the case of a DID.',
    needs: ['accreditor'],
    async run({ tir, didRegistry, accreditor }) {
      const { did, attributeId } = await accreditor()
      const unknown = randomBytes(32).toString('hex')
      const control = () => tir.getAttribute(did, attributeId)
      const finding = await findEachRefused(
        {
          'an unknown DID': () => tir.getAttribute(didRegistry.createIdentity().did, attributeId),
          'an unknown attributeId': () => tir.getAttribute(did, unknown),
          'an attributeId whose last digit differs': () =>
            tir.getAttribute(did, withOtherEnd(attributeId)),
          'a DID whose last character differs': () =>
            tir.getAttribute(withOtherEnd(did), attributeId),
        },
        { statuses: [404], control },
      )
      if (finding.kind !== 'held') return finding
      const others = {
        'two more digits in the attributeId': () => tir.getAttribute(did, `${attributeId}00`),
        'two digits less in the attributeId': () => tir.getAttribute(did, attributeId.slice(0, -2)),
        'a letter of the DID in the other case': () =>
          tir.getAttribute(withOtherCase(did), attributeId),
        'the DID in the other environment': () =>
          tir.getAttribute(inOtherEnvironment(did), attributeId),
        'the method of the DID in upper case': () =>
          tir.getAttribute(did.replace('did:org', 'did:ORG'), attributeId),
        'a space after the DID': () => tir.getAttribute(`${did} `, attributeId),
        'a line break after the DID': () => tir.getAttribute(`${did}\n`, attributeId),
        'a fragment after the DID': () => tir.getAttribute(`${did}#key`, attributeId),
        'the colons of the DID encoded twice': () =>
          tir.getAttribute(encodeURIComponent(did), attributeId),
      }
      const otherForms = await findEach(Object.entries(others), async ([wrong, send]) => {
        const expected = { what: `A request with ${wrong}`, statuses: [404, 400], control }
        const found = await findOneRefused(send, expected)
        return found.kind === 'broken' ? { ...found, level: 'practice' } : found
      })
      return otherForms.kind === 'broken' ? otherForms : finding
    },
  },
  'T99-encoded-or-plain': {
    title: 'An attribute is found with and without URL encoding of its DID',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.2'],
    description:
      'Some clients encode the colons in the path and some do not; both forms are valid.',
    sends: 'GET of an attribute with %3A in the DID, with %3a, and with colons.',
    decides: 'HTTP 200 with the same attribute each time.',
    fix: 'Decode the path before you read the DID from it, so that %3A and %3a equal a colon.',
    needs: ['accreditor'],
    async run({ tir, accreditor }) {
      const { did, attributeId } = await accreditor()
      const encoded = encodeURIComponent(did)
      const read = async (path: string) => {
        const answer = await tir.get(`/v1/issuers/${path}/attributes/${attributeId}`)
        return requireJson(answer, `GET with ${path}`)
      }
      const expected = await read(encoded)
      for (const path of [encoded.replaceAll('%3A', '%3a'), did]) {
        expectEqual(`the attribute with ${path}`, await read(path), expected)
      }
      return held('All paths return the same attribute')
    },
  },
  'T103-head': {
    title: 'HEAD finds each resource that GET finds',
    level: 'final',
    expectation: 'accept',
    clauses: ['RFC 9110, 9.1'],
    description:
      'Monitors, caches and command line tools send HEAD to find out whether a resource exists.',
    sends: 'GET and HEAD of /health and, if the target has an accreditor, of an attribute.',
    decides: 'A HEAD that returns 404 or a 5xx is a WARN.',
    fix: 'Respond to HEAD as to GET, but without the body. Most frameworks do so if the route of GET also has the method HEAD.',
    async run({ tirBaseUrl, httpAs, canAccredit, accreditor }) {
      const root = canAccredit ? await accreditor() : undefined
      const attribute =
        root && `v1/issuers/${encodeURIComponent(root.did)}/attributes/${root.attributeId}`
      const paths = ['health', ...(attribute ? [attribute] : [])]
      return findHeadAnswered(
        httpAs('verifier'),
        paths.map((path) => `${tirBaseUrl}/${path}`),
      )
    },
  },
  'T106-chunks': {
    ...chunkedBody,
    sends: 'setAttributeData with Content-Length, and the same with Transfer-Encoding: chunked.',
    decides: 'Both are accepted. A TIR may also require the length with HTTP 411.',
    async run(context) {
      const { tirBaseUrl, httpAs, apiKey } = context
      const json = rpcRequest('setAttributeData', await correctData(context))
      const headers = { 'x-api-key': apiKey }
      return findChunksRead(httpAs('TAO'), `${tirBaseUrl}/v1/jsonrpc`, { headers, json })
    },
  },
  'T60-attribute-id-no-hex': {
    title: 'An attributeId with characters other than hex returns 400',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/tir.7', '2.endpoints/tir.2'],
    description:
      'A 404 would mean that the accreditation does not exist, although the address itself is wrong.',
    sends: 'GET with attributeIds that contain other letters, a hyphen, a space and a line break.',
    decides: 'HTTP 400 for each of them.',
    fix: 'Require hex digits in the attributeId of the path. Reject anything else with 400, not 404.',
    async run({ tir, didRegistry }) {
      const { did } = didRegistry.createIdentity()
      const id = randomBytes(31).toString('hex')
      const wrong = {
        'the letter g': `${id}g`,
        'a hyphen': `${id}-`,
        'a space': `${id}%20`,
        'a line break': `${id}00%0A`,
      }
      const requests = Object.entries(wrong).map(
        ([what, attributeId]) =>
          [`${what} in attributeId`, () => tir.getAttribute(did, attributeId)] as const,
      )
      // The well-formed id must have a different answer, which may be 404.
      const { status } = requireVerdict(await tir.getAttribute(did, `${id}00`))
      if (status !== 200 && status !== 404) {
        return inconclusive(`A well-formed attributeId was answered with HTTP ${status} as well`)
      }
      return findEachRefused(Object.fromEntries(requests), { statuses: [400] })
    },
  },
  'T61-attribute-id-with-prefix': {
    title: 'A read with 0x in the attributeId returns 400',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.2', '2.errors/tir.7'],
    description:
      'It is written without 0x: an attribute has one address, in credentials and caches.',
    sends: 'GET of a published attribute with 0x before its attributeId.',
    decides: 'HTTP 400.',
    fix: 'Return 400 for an attributeId that begins with 0x. Do not remove the prefix.',
    needs: ['accreditor'],
    async run({ tir, accreditor }) {
      const { did, attributeId } = await accreditor()
      await asPremise('reading it without 0x', tir.requireAttribute(did, attributeId))
      const answer = await tir.getAttribute(did, `0x${attributeId}`)
      return findRefusal(answer, { what: 'An attributeId with 0x', statuses: [400] })
    },
  },
  'T98-simultaneous-requests': {
    title: 'Simultaneous requests of several clients get their own responses',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.7', '2.endpoints/tir.11', '2.endpoints/tir.12', '2.endpoints/tir.17'],
    description:
      'Organizations use the TIR at the same time. If responses are mixed up, a TAO signs the publication of another one, or a verifier trusts the wrong issuer.',
    sends: `${clients} calls of setAttributeData, first one after the other and then at the same time, by accounts without authority, or by the accreditor if the target rejects those; ${clients} calls of sendSignedTransaction with the same id at the same time, by accounts without authority. If the target has an accreditor, GET of ${clients} attributes as well.`,
    decides:
      'Each response has the id of its request, and the unsigned transaction or the attribute that the same request returned before; each hash belongs to its transaction, which has a receipt.',
    fix: 'Keep the data of a request in local variables. If requests share a result, such as a read that is still running, find it by everything that it depends on: the DID, attributeId and params, not the id.',
    control: 'setAttributeMetadata',
    timeLimitMilliseconds: 660_000,
    async run(context) {
      const { tir, didRegistry, canAccredit } = context
      const call = async (method: string, parameters: object, id: unknown) => {
        const answer = await tir.post(rpcRequest(method, parameters, id))
        return { id: requireJson(answer, method).id, result: requireResult(answer, method) }
      }
      const build = async (parameters: Record<string, unknown>, at: number) => {
        const { id, result } = await call('setAttributeData', parameters, `request ${at}`)
        const { data, from, nonce } = (result ?? {}) as Record<string, unknown>
        return { id, data, from, nonce }
      }
      const parameters = await dataOfEach(context)
      const alone: Awaited<ReturnType<typeof build>>[] = []
      for (const [at, each] of parameters.entries()) {
        alone.push(await asPremise('setAttributeData (see T01)', build(each, at)))
      }
      const built = await Promise.all(parameters.map(build))
      expectEqual('the responses to setAttributeData', built, alone)

      const { unsigned } = await prepareSending(context)
      const sign = () => {
        const { address: from, privateKey } = didRegistry.createIdentity()
        return signSending({ ...unsigned, from, nonce: '0x0' }, privateKey)
      }
      // A chain may not accept transactions of accounts without funds or permission.
      const single = call('sendSignedTransaction', sign(), 1)
      await asPremise('sendSignedTransaction (see T96)', single)
      const sendings = forEach(sign)
      const sent = await Promise.all(
        sendings.map(async (sending) => {
          const { signedRawTransaction: raw } = sending
          // Most clients count their requests from 1.
          const { id, result } = await call('sendSignedTransaction', sending, 1)
          const hash = hashOfTransaction(raw)
          const actual = { id, hash: String(result).toLowerCase() }
          expectEqual('id and hash of a sending', actual, { id: 1, hash })
          return hash
        }),
      )
      for (const hash of sent) await tir.awaitReceipt(hash)
      if (!canAccredit) return held(`${clients} clients got their own transactions and hashes`)

      const paths = await publishEach(context)
      const read = async (path: string) => requireJson(await tir.get(path), `GET ${path}`)
      const attributes: unknown[] = []
      for (const path of paths) attributes.push(await read(path))
      const readAll = () => Promise.all(paths.map(read))
      for (const round of await Promise.all([readAll(), readAll(), readAll()])) {
        expectEqual('the attributes', round, attributes)
      }
      return held(`${clients} clients got their own transactions, hashes and attributes`)
    },
  },
})
