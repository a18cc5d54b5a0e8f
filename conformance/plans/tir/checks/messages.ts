import { membersOf } from '#core/json/json-object.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, defineChecks, held } from '../../../kit/check.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import { requireVerdict } from '../../registries/findings.ts'
import type { TirContext } from '../context.ts'
import { correctData, type PreparedSending, prepareSending, signSending } from '../publications.ts'
import { findEachRpcError, requireResult, rpcRequest } from '../rpc.ts'

interface RpcAnswer {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

const mapValues = <Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

const answerOf = (answer: HttpAnswer): RpcAnswer => (requireVerdict(answer).json ?? {}) as RpcAnswer

/** Requests whose id a TIR can read, and that fail for different reasons. */
const failures: Readonly<Record<string, object>> = {
  'an unknown method': { method: 'health' },
  'no jsonrpc': { jsonrpc: undefined },
  'a string as params': { params: 'did' },
  'no params': { params: undefined },
  'empty params': { params: [] },
}

/** Signed transactions that fail for different reasons. */
function failingSendings({ sending, unsigned, by }: PreparedSending): Record<string, object> {
  return {
    'an unreadable transaction': { ...sending, signedRawTransaction: '0x00' },
    'a changed r': { ...sending, r: '0x1' },
    'a value without funds': signSending({ ...unsigned, value: '0x1' }, by.signer.privateKey),
  }
}

/** Values that are not the version "2.0". */
const wrongVersions: readonly unknown[] = [
  '2',
  '2.00',
  '2.0 ',
  ' 2.0',
  '02.0',
  '1.0',
  2,
  null,
  ['2.0'],
]

export const checks = defineChecks<TirContext>({
  'T86-near-misses-of-a-request': {
    title: 'A version that is almost 2.0, or a method of another type, returns -32600',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.6', '2.errors/tir.2', '2.versioning.2'],
    clauses: ['JSON-RPC 2.0, 4'],
    description: 'jsonrpc MUST be exactly "2.0": another version has other rules.',
    sends:
      'A correct setAttributeData with nine other values of jsonrpc, and with a list, an object, null and true as method.',
    decides: 'error.code -32600 for each of them.',
    fix: 'Compare jsonrpc with the string "2.0", and require a string as method. Reject anything else with error.code -32600.',
    control: 'setAttributeData',
    async run(context) {
      const { tir } = context
      const request = rpcRequest('setAttributeData', await correctData(context))
      const versions = wrongVersions.map(
        (jsonrpc) =>
          [
            `${JSON.stringify(jsonrpc)} as jsonrpc`,
            () => tir.post({ ...request, jsonrpc }),
          ] as const,
      )
      const methods = [['setAttributeData'], {}, null, true].map(
        (method) =>
          [`${JSON.stringify(method)} as method`, () => tir.post({ ...request, method })] as const,
      )
      return findEachRpcError(Object.fromEntries([...versions, ...methods]), -32600)
    },
  },
  'T87-errors-in-full': {
    title: 'Each kind of error has jsonrpc, the id of its request, a code and a message',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.8', '2.authentication.2'],
    clauses: ['JSON-RPC 2.0, 5'],
    description:
      'A client finds the request that failed by its id. A library rejects a response without jsonrpc.',
    sends:
      'Requests with an unknown method, without jsonrpc, with three kinds of wrong params, with three transactions that are not sent, and with a wrong API key, each with a number, a string and null as id.',
    decides:
      'jsonrpc is 2.0, id that of the request, error.code an integer and error.message a string; there is no result. With error.code -32600, null as id is a WARN.',
    fix: 'Build every error in one place: jsonrpc "2.0", the id of the request if it can be read, and error with code and message.',
    control: 'setAttributeData',
    async run(context) {
      const { tir, changeApiKey } = context
      const sendings = failingSendings(await prepareSending(context))
      const correct = rpcRequest('setAttributeData', await correctData(context))
      const wrongKey = { 'x-api-key': changeApiKey((key) => `${key.slice(1)}2`) }
      const withoutId: string[] = []
      const cases = [7, 'request of the kit', null].flatMap((id) =>
        Object.entries({
          ...mapValues(failures, (members) => () => tir.post({ ...correct, id, ...members })),
          ...mapValues(sendings, (sending) => () => tir.call('sendSignedTransaction', sending, id)),
          'a wrong API key': () => tir.post({ ...correct, id }, wrongKey),
        }).map(([what, post]) => ({ id, what, post })),
      )
      await requireEach(
        cases,
        async ({ id, what, post }) => {
          const answer = answerOf(await post())
          const { jsonrpc, error, result } = answer
          const subject = `the response to a request with ${what} and the id ${JSON.stringify(id)}`
          // Clause 5: the id is null if there was an error in detecting it, such as Invalid Request.
          const mayBeNull = error?.code === -32600 && answer.id === null
          if (mayBeNull && id !== null) withoutId.push(what)
          expectEqual(
            `jsonrpc and id of ${subject}`,
            { jsonrpc, id: mayBeNull ? id : answer.id },
            { jsonrpc: '2.0', id },
          )
          expectEqual(`result of ${subject}`, result, undefined)
          const isInteger = Number.isInteger(error?.code)
          expectTrue(`error.code of ${subject} is an integer`, isInteger, answer)
          expectMatch(`error.message of ${subject}`, error?.message, /\w/)
        },
        10,
      )
      if (withoutId.length > 0) {
        const requests = [...new Set(withoutId)].join(', ')
        const reason = `The errors of requests with ${requests} have null as id, although it could be read.`
        return broken(reason, { level: 'practice' })
      }
      return held('Each error has jsonrpc, id, code and message')
    },
  },
  'T88-large-ids': {
    title: 'A number as id is returned with the same digits',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/tir.7'],
    clauses: ['JSON-RPC 2.0, 5'],
    description:
      'Clients in many languages count with 64 bits. If the TIR rounds the id, no request matches the response.',
    sends: 'Requests with the ids 9007199254740993, -9007199254740993 and 1.5.',
    decides: 'The text of each response contains the id with the same digits.',
    fix: 'Keep the digits of the id, for example as text, and do not convert it to a floating-point number.',
    control: 'setAttributeData',
    run: ({ tir }) =>
      findEach(['9007199254740993', '-9007199254740993', '1.5'], async (id) => {
        const text = JSON.stringify(rpcRequest('setAttributeData', {}, 'ID')).replace('"ID"', id)
        const answer = requireVerdict(await tir.post(text))
        const [, found] = /"id"\s*:\s*([^,}\s]+)/.exec(answer.text) ?? []
        expectEqual('the id in the response', found, id)
        return held(`The id ${id} is returned with the same digits`)
      }),
  },
  'T89-batches-in-full': {
    title:
      'A batch returns the result of each valid request, and an empty body for a batch of notifications',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/tir.7'],
    clauses: ['JSON-RPC 2.0, 6'],
    description: 'A client that sends its two builds as a batch needs both transactions.',
    sends:
      'A batch of two correct requests, a batch of one, and a batch of two notifications, one of them with an unknown method.',
    decides: 'Lists with two results and with one, each with its id; then an empty body.',
    fix: 'Respond to each request of a batch as to a single request. If all of them are notifications, respond with an empty body.',
    control: 'setAttributeData',
    async run(context) {
      const { tir } = context
      const correct = await correctData(context)
      const requests = ['first', 'second'].map((id) => rpcRequest('setAttributeData', correct, id))
      for (const batch of [requests, requests.slice(0, 1)]) {
        const { json, text } = requireVerdict(await tir.post(batch))
        expectTrue('the response to a batch is a list', Array.isArray(json), text.slice(0, 200))
        const answers: readonly RpcAnswer[] = (json as unknown[]).map(membersOf)
        const ids = answers.map(({ id }) => id).sort()
        expectEqual('ids of the responses', ids, ['first', 'second'].slice(0, batch.length))
        for (const { jsonrpc, result, error } of answers) {
          expectEqual('jsonrpc and error', { jsonrpc, error }, { jsonrpc: '2.0', error: undefined })
          const { data } = (result ?? {}) as { data?: unknown }
          expectMatch('data of the result', data, /^0x[0-9a-f]+$/i)
        }
      }
      const notify = (method: string) => ({ jsonrpc: '2.0', method, params: [{}] })
      const notifications = [notify('setAttributeData'), notify('health')]
      const { text } = requireVerdict(await tir.post(notifications))
      expectEqual('the response to a batch of notifications', text, '')
      const single = requireVerdict(await tir.post(notify('health')))
      expectEqual('the response to a notification with an unknown method', single.text, '')
      return held('Batches are answered in full')
    },
  },
  'T90-equal-requests': {
    title: 'Requests that mean the same build the same call',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/tir.6', '2.resources-and-their-fields/types-used-in-the-tir.2'],
    clauses: ['RFC 8259, 4', 'RFC 9110, 8.3.1'],
    description:
      'JSON libraries and signers differ in order, spaces, escapes and the case of hex. Clients that use another one must not be locked out.',
    sends:
      'A correct setAttributeData with its members in another order, with spaces and escapes, with hex in upper case, with tricky characters in the id, with unknown members, and with a charset or upper case in Content-Type.',
    decides:
      'The data of each result, in application/json, is that of the plain request. A TIR that rejects unknown members passes as well.',
    fix: 'Parse the body as JSON by RFC 8259, including escapes in names, and read hex digits and media types in either case.',
    control: 'setAttributeData',
    async run(context) {
      const { tir } = context
      const plain = { ...(await correctData(context)), attributeData: '0x6561c3b1' }
      const upper = (value: unknown) => `0x${String(value).slice(2).toUpperCase()}`
      const { from, attributeId, attributeData } = plain as Record<string, unknown>
      const others = {
        'hex in upper case': {
          ...plain,
          from: upper(from),
          attributeId: upper(attributeId),
          attributeData: upper(attributeData),
        },
        'an address in lower case': { ...plain, from: String(from).toLowerCase() },
      }
      const request = rpcRequest('setAttributeData', plain)
      const reordered = Object.fromEntries(Object.entries(request).reverse())
      const text = JSON.stringify(request)
      const tricky = rpcRequest('setAttributeData', plain, '"id":1,"jsonrpc":{}]}\\\\"\\')
      const texts: Readonly<Record<string, string>> = {
        'members in another order': JSON.stringify(reordered),
        'spaces and line breaks': `\r\n ${JSON.stringify(request, null, '\t')} \n`,
        'escaped letters in names': text
          .replace('"jsonrpc"', '"json\\u0072pc"')
          .replace('"did"', '"di\\u0064" '),
        'escaped letters in values': text.replace('setAttributeData', 'setAttribute\\u0044ata'),
        'characters of JSON in the id': JSON.stringify(tricky),
        ...Object.fromEntries(
          Object.entries(others).map(([what, parameters]) => [
            what,
            JSON.stringify(rpcRequest('setAttributeData', parameters)),
          ]),
        ),
      }
      const dataOf = (what: string, answer: HttpAnswer) => {
        const result = requireResult(answer, `A request with ${what}`)
        return (result as { data?: unknown } | null)?.data
      }
      const plainData = dataOf('nothing special', await tir.post(text))
      const expected = expectMatch('data', plainData, /^0x[0-9a-f]+$/i)
      const messages = [
        ...Object.entries(texts).map(([what, message]) => [what, message, {}] as const),
        ...['application/json; charset=utf-8', 'Application/JSON'].map(
          (type) => [`the content type ${type}`, text, { 'content-type': type }] as const,
        ),
      ]
      await requireEach(messages, async ([what, message, headers]) => {
        const answer = requireVerdict(await tir.post(message, headers))
        // The key is correct: 403 is about the message.
        expectEqual(`HTTP status of a request with ${what}`, answer.status, 200)
        expectEqual(`data of a request with ${what}`, dataOf(what, answer), expected)
        const isJson = /^application\/json\b/i
        expectMatch(`content type of the response to ${what}`, answer.contentType, isJson)
      })
      const x = { did: 'y', list: [{ id: 1 }, null] }
      const unknown = {
        'an unknown member': { ...request, x },
        'an unknown member in params': rpcRequest('setAttributeData', { ...plain, x }),
      }
      await requireEach(Object.entries(unknown), async ([what, message]) => {
        const answer = requireVerdict(await tir.post(message))
        if (membersOf(answer.json).error !== undefined) return
        expectEqual(`data of a request with ${what}`, dataOf(what, answer), expected)
      })
      return held('All spellings built the same call')
    },
  },
})
