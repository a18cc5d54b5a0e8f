import { randomBytes } from 'node:crypto'
import { didPrefixes } from '#core/did/did-org.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { CheckRow, CheckTexts } from '../../../kit/check.ts'
import { broken, defineChecks, endCheck } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { nearMisses } from '../../../kit/near-misses.ts'
import { createFreshIdentity } from '../../registries/did-registry-under-test.ts'
import type { TirContext } from '../context.ts'
import { correctData, correctMetadata, prepareSending, wireMetadata } from '../publications.ts'
import { findEachRpcError, findRpcError, rpcRequest } from '../rpc.ts'

/** Calls that must return a JSON-RPC error, by what is wrong with them. */
interface WrongCalls extends CheckTexts {
  /** By default setAttributeData; it names the control. */
  readonly method?: BuildMethod
  /** The expected code, or several allowed codes. */
  readonly code: number | readonly number[]
  /** To follow `A request with`: `no jsonrpc`. */
  readonly wrong: Readonly<Record<string, Call>>
}

type BuildMethod = 'setAttributeData' | 'setAttributeMetadata'
type Parameters = Readonly<Record<string, unknown>>
type Call = (subject: CallSubject) => Promise<HttpAnswer>
type Changes = object | ((parameters: Parameters, context: TirContext) => object)

interface CallSubject {
  readonly context: TirContext
  /** params[0] of valid calls, regardless of their effect on the chain. */
  readonly correct: Readonly<Record<BuildMethod, Parameters>>
  /** A valid message. */
  readonly request: object
}

/** Replaces parameters of a valid call, or removes those that are undefined. */
const wrongParameters = (
  method: BuildMethod,
  wrong: Readonly<Record<string, Changes>>,
): { method: BuildMethod; wrong: Record<string, Call> } => ({
  method,
  wrong: Object.fromEntries(
    Object.entries(wrong).map(([what, changes]) => [
      what,
      (subject) => {
        const parameters = subject.correct[method]
        const changed =
          typeof changes === 'function' ? changes(parameters, subject.context) : changes
        return subject.context.tir.call(method, { ...parameters, ...changed })
      },
    ]),
  ),
})

const without = (method: BuildMethod, members: readonly string[]) =>
  wrongParameters(
    method,
    Object.fromEntries(
      members.map((member) => [`no ${member} of ${method}`, { [member]: undefined }]),
    ),
  ).wrong

/** Changes the string in a parameter. */
const change =
  (member: string, toWrong: (text: string) => string): Changes =>
  (parameters) => ({ [member]: toWrong(String(parameters[member])) })

/** The same mistakes in a parameter of both build methods. */
const inBoth = (
  wrong: Readonly<Record<string, Changes>>,
): { method: BuildMethod; wrong: Record<string, Call> } => ({
  method: 'setAttributeMetadata',
  wrong: Object.fromEntries(
    (['setAttributeMetadata', 'setAttributeData'] as const).flatMap((method) =>
      Object.entries(wrongParameters(method, wrong).wrong).map(([what, call]) => [
        `${what} of ${method}`,
        call,
      ]),
    ),
  ),
})

/** Values that are not 0x and 64 hex digits. */
const wrongHashes = (member: string): Record<string, Changes> => ({
  [`${member} that is too short`]: change(member, (id) => id.slice(0, -2)),
  [`${member} that is too long`]: change(member, (id) => `${id}00`),
  [`${member} without 0x`]: change(member, (id) => id.slice(2)),
  [`${member} with 0X`]: change(member, (id) => `0X${id.slice(2)}`),
  [`${member} that is not hex`]: change(member, (id) => `${id.slice(0, -1)}g`),
  [`${member} followed by a space`]: change(member, (id) => `${id} `),
  [`${member} followed by a line break`]: change(member, (id) => `${id}\n`),
  [`${member} with a letter before it`]: change(member, (id) => `x${id}`),
  [`${member} with only 0x`]: { [member]: '0x' },
  [`null as ${member}`]: { [member]: null },
})

const ofOtherEnvironment = ({ environment }: TirContext) =>
  createFreshIdentity(environment === 'pre' ? 'pro' : 'pre').did

/** Sends a changed text of a valid message, or a message with other members. */
const sendText =
  (toWrong: (text: string) => string): Call =>
  ({ context, request }) =>
    context.tir.post(toWrong(JSON.stringify(request)))
const sendWith =
  (members: (parameters: Parameters) => object): Call =>
  ({ context, request, correct }) =>
    context.tir.post({ ...request, ...members(correct.setAttributeData) })
const sendWithKey =
  (key: string): Call =>
  ({ context, request }) =>
    context.tir.post(request, { 'x-api-key': key })
const sendWithChangedKey =
  (change: (key: string) => string): Call =>
  ({ context, request }) =>
    context.tir.post(request, {
      'x-api-key': context.changeApiKey((key) => {
        const changed = change(key)
        // A key without letters is the same in upper and lower case.
        return changed === key ? `${key}2` : changed
      }),
    })

/**
 * Mistakes that a TIR should not report to a client without a valid key. The profile does not say
 * which of two mistakes an answer names, so these calls come last: another code is a WARN.
 */
const withWrongKey = (what: string, key: string): Record<string, Call> =>
  Object.fromEntries(
    Object.entries({
      'an unknown method': { method: 'deleteAttribute' },
      'an empty object in params': { params: [{}] },
      'no params': { params: undefined },
    }).map(([mistake, members]) => [
      `${what} and ${mistake}`,
      async ({ context, request }) => {
        const answer = await context.tir.post({ ...request, ...members }, { 'x-api-key': key })
        const of = (code: number | readonly number[]) =>
          findRpcError(answer, { what: `A request with ${what} and ${mistake}`, code })
        if (of([-32601, -32602]).kind === 'held') endCheck({ ...of(-32600), level: 'practice' })
        return answer
      },
    ]),
  )

/** Sends a transaction without a key, and ends the check if the TIR sent it to the chain. */
const sendTransactionWithoutKey: Call = async ({ context }) => {
  const { tir } = context
  const { by, metadata, unsigned, sending } = await prepareSending(context)
  const parameters = wireMetadata(metadata, by.signer.address)
  const request = rpcRequest('sendSignedTransaction', sending)
  // A notification may get no answer, so only its effect counts.
  const messages = {
    'in a notification': { ...request, id: undefined },
    'in a batch': [request],
    'in a batch of notifications': [{ ...request, id: undefined }],
    'in a request': request,
  }
  let answer: HttpAnswer | undefined
  for (const [form, message] of Object.entries(messages)) {
    answer = await tir.post(message, { 'x-api-key': '' })
    const building = tir.client.build('setAttributeMetadata', parameters)
    const { nonce } = await asPremise('building setAttributeMetadata (see T01)', building)
    if (BigInt(nonce) === BigInt(unsigned.nonce)) continue
    const details = { verdictSource: 'nonce', expected: unsigned.nonce, actual: nonce }
    const reason = `A transaction ${form} was sent to the chain although the key is missing`
    endCheck(broken(reason, details))
  }
  return answer as HttpAnswer
}

const didKey = 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'

export const checks = defineChecks<TirContext, WrongCalls>(
  {
    'T21-parse-error': {
      title: 'A body that is not JSON returns -32700',
      level: 'spec',
      rows: ['2.errors/tir.1', '2.endpoints/tir.8'],
      clauses: ['JSON-RPC 2.0, 5.1'],
      description: 'The code shows a client that its message was truncated.',
      fix: 'Parse the body as one JSON document. If that fails, return error.code -32700.',
      code: -32700,
      wrong: {
        'half of a JSON document': sendText((text) => text.slice(0, -3)),
        'half of a string': sendText(() => '"setAttributeData'),
        'two JSON documents in a row': sendText((text) => text + text),
        'single quotes': sendText((text) => text.replaceAll('"', "'")),
        'an empty body': sendText(() => ''),
        'only spaces': sendText(() => '  '),
        'a comma after the last member': sendText((text) => text.replace(/}$/, ',}')),
        'a comment': sendText((text) => `${text} // comment`),
        // The parsers of some languages accept it by default.
        'a member NaN': sendText((text) => text.replace(/}$/, ',"x":NaN}')),
        'a word': sendText(() => 'setAttributeData'),
      },
    },
    'T22-invalid-request': {
      title: 'A body that is not a JSON-RPC 2.0 request returns -32600',
      level: 'spec',
      rows: ['2.endpoints/tir.6', '2.endpoints/tir.8', '2.errors/tir.2', '2.versioning.2'],
      clauses: ['JSON-RPC 2.0, 4'],
      description:
        'A server that guesses the intention writes data that the client did not request.',
      fix: 'Require an object with jsonrpc "2.0" and a string as method. Reject anything else with error.code -32600.',
      code: -32600,
      wrong: {
        'no jsonrpc': sendWith(() => ({ jsonrpc: undefined })),
        'jsonrpc 1.0': sendWith(() => ({ jsonrpc: '1.0' })),
        'the number 2 as jsonrpc': sendWith(() => ({ jsonrpc: 2 })),
        'no method': sendWith(() => ({ method: undefined })),
        'a number as method': sendWith(() => ({ method: 1 })),
        'a string instead of an object': sendText(() => '"setAttributeData"'),
      },
    },
    'T23-method-not-found': {
      title: 'An unknown method returns -32601',
      level: 'spec',
      rows: ['2.errors/tir.3', '2.endpoints/tir.8'],
      clauses: ['JSON-RPC 2.0, 5.1'],
      description: 'The code shows a client its typo.',
      fix: 'Look up method in the list of supported methods, with exact case and without inherited members. If it is not in the list, return error.code -32601.',
      code: -32601,
      wrong: Object.fromEntries(
        [
          'setAttributeMetaData',
          'setattributedata',
          'setAttributeDat',
          'setAttributeData1',
          ' setAttributeData',
          'setAttributeData ',
          'SendSignedTransaction',
          'constructor',
          'get',
          '__proto__',
          '',
        ].map((method) => [`the method “${method}”`, sendWith(() => ({ method }))]),
      ),
    },
    'T24-required-params': {
      title: 'A missing parameter returns -32602',
      level: 'spec',
      rows: ['2.endpoints/tir.10', '2.endpoints/tir.11', '2.errors/tir.4'],
      description: 'All are required: a default would be stored on the chain permanently.',
      fix: 'Require every parameter of the method. If one is missing, return error.code -32602, and do not use a default.',
      method: 'setAttributeMetadata',
      code: -32602,
      wrong: {
        ...without('setAttributeMetadata', [
          'from',
          'did',
          'issuerType',
          'taoDid',
          'revisionId',
          'attributeIdTao',
        ]),
        ...without('setAttributeData', ['from', 'did', 'attributeId', 'attributeData']),
        ...wrongParameters('setAttributeMetadata', {
          'no taoDid of a revocation': { issuerType: 'REVOKED', taoDid: undefined },
          'no attributeIdTao of a revocation': { issuerType: 'REVOKED', attributeIdTao: undefined },
          'no attributeIdTao of a root': { issuerType: 'ROOT_TAO', attributeIdTao: undefined },
          // Some JSON libraries find members without regard to case.
          'TaoDid instead of taoDid': ({ taoDid }) => ({ taoDid: undefined, TaoDid: taoDid }),
        }).wrong,
      },
    },
    'T25-invalid-address': {
      title: 'An invalid address returns -32602',
      level: 'spec',
      rows: [
        '2.resources-and-their-fields/types-used-in-the-tir.1',
        '2.endpoints/tir.10',
        '2.errors/tir.4',
      ],
      description: 'The transaction is built with its nonce; another account cannot send it.',
      fix: 'Require 0x and 40 hex digits in from. Reject anything else with error.code -32602.',
      code: -32602,
      ...inBoth({
        'an address without 0x': change('from', (address) => address.slice(2)),
        'an address that is too short': change('from', (address) => address.slice(0, -1)),
        'an address that is too long': change('from', (address) => `${address}0`),
        'an address that is not hex': change('from', (address) => `${address.slice(0, -1)}g`),
        'a letter before the address': change('from', (address) => `x${address}`),
        'a line break after the address': change('from', (address) => `${address}\n`),
        'a number as address': { from: 1 },
      }),
    },
    'T26-malformed-did': {
      title: 'A malformed DID, or a DID of the other environment, returns -32602',
      level: 'spec',
      rows: [
        '2.resources-and-their-fields/types-used-in-the-tir.3',
        '2.endpoints/tir.10',
        '2.errors/tir.4',
      ],
      description:
        'No verifier finds an accreditation under a DID of the other environment, and it cannot be removed.',
      fix: 'Require in did and taoDid the prefix of the environment, such as did:org:uc-pre:, and an identifier after it. Reject anything else with error.code -32602.',
      code: -32602,
      method: 'setAttributeMetadata',
      wrong: {
        ...inBoth({
          'a did:key as did': { did: didKey },
          'a did without an identifier': (_, { environment }) => ({
            did: didPrefixes[environment],
          }),
          'a did of the other environment': (_, context) => ({ did: ofOtherEnvironment(context) }),
          'a did with a fragment': change('did', (did) => `${did}#key`),
          'a did followed by a space': change('did', (did) => `${did} `),
          'a did followed by a line break': change('did', (did) => `${did}\n`),
          'a did with a letter before it': change('did', (did) => `x${did}`),
          'a did with its method in upper case': change('did', (did) => did.replace('org', 'ORG')),
          'a number as did': { did: 1 },
        }).wrong,
        ...wrongParameters('setAttributeMetadata', {
          'a did:key as taoDid': { taoDid: didKey },
          'a taoDid without an identifier': (_, { environment }) => ({
            taoDid: didPrefixes[environment],
          }),
          'a taoDid of the other environment': (_, context) => ({
            taoDid: ofOtherEnvironment(context),
          }),
          'a taoDid with a fragment': change('taoDid', (did) => `${did}#key`),
          'a taoDid followed by a line break': change('taoDid', (did) => `${did}\n`),
        }).wrong,
      },
    },
    'T27-unknown-issuer-type': {
      title: 'An unknown issuerType returns -32602',
      level: 'spec',
      rows: [
        '2.resources-and-their-fields/types-used-in-the-tir.4',
        '2.endpoints/tir.10',
        '2.errors/tir.4',
      ],
      description: 'A guess at the intention may turn an issuer into a root.',
      fix: 'Accept only the strings ROOT_TAO, TAO, TI and REVOKED as issuerType. Reject anything else with error.code -32602.',
      code: -32602,
      ...wrongParameters('setAttributeMetadata', {
        'an unknown issuerType': { issuerType: 'ISSUER' },
        'the issuerType that reads return': { issuerType: 'RTAO' },
        'an issuerType in lower case': { issuerType: 'ti' },
        'an empty issuerType': { issuerType: '' },
        'an issuerType followed by a space': { issuerType: 'TI ' },
        'a list with an issuerType': { issuerType: ['TI'] },
        'null as issuerType': { issuerType: null },
      }),
    },
    'T28-numeric-issuer-type': {
      title: 'A numeric issuerType returns -32602',
      level: 'spec',
      rows: ['2.resources-and-their-fields/types-used-in-the-tir.4'],
      description: 'Numeric values are not accepted: with an off-by-one error a TI becomes a TAO.',
      fix: 'Accept issuerType only by its name, such as TI. Reject numbers, even as strings, with error.code -32602.',
      code: -32602,
      ...wrongParameters('setAttributeMetadata', {
        'issuerType 1': { issuerType: 1 },
        'issuerType 3': { issuerType: 3 },
        'issuerType 4': { issuerType: 4 },
        'issuerType "3"': { issuerType: '3' },
      }),
    },
    'T29-none-is-not-published': {
      title: 'issuerType NONE cannot be published',
      level: 'spec',
      rows: ['2.resources-and-their-fields/types-used-in-the-tir.4', '2.endpoints/tir.10'],
      description:
        'It means "no role" and is not used in publications: the attribute would have no meaning.',
      fix: 'Reject issuerType NONE with error.code -32602.',
      code: -32602,
      ...wrongParameters('setAttributeMetadata', { 'issuerType NONE': { issuerType: 'NONE' } }),
    },
    'T30-revision-id-form': {
      title: 'A revisionId that is not 0x and 64 hex characters returns -32602',
      level: 'spec',
      rows: ['2.limits.5', '2.endpoints/tir.10'],
      description:
        'Padded or truncated, it identifies a different attribute than the accreditation.',
      fix: 'Require 0x and exactly 64 hex digits in revisionId. Reject anything else with error.code -32602: do not pad or cut it.',
      code: -32602,
      ...wrongParameters('setAttributeMetadata', wrongHashes('revisionId')),
    },
    'T66-attribute-id-form': {
      title: 'An attributeId or attributeIdTao that is not 0x and 64 hex characters returns -32602',
      level: 'practice',
      rows: ['2.endpoints/tir.10', '2.endpoints/tir.11', '2.errors/tir.4'],
      description:
        'They are the revisionId of a publication. Padded or truncated, they identify a different attribute.',
      fix: 'Require 0x and exactly 64 hex digits in attributeId and attributeIdTao, as in revisionId. Reject anything else with error.code -32602.',
      method: 'setAttributeMetadata',
      code: -32602,
      wrong: {
        ...wrongParameters('setAttributeMetadata', wrongHashes('attributeIdTao')).wrong,
        ...wrongParameters('setAttributeData', wrongHashes('attributeId')).wrong,
      },
    },
    'T31-attribute-data-form': {
      title: 'attributeData that is not hex with 0x returns -32602',
      level: 'spec',
      rows: ['2.endpoints/tir.11', '2.resources-and-their-fields/types-used-in-the-tir.2'],
      description: 'A JWT that was not encoded must not be stored as a different value.',
      fix: 'Require 0x and pairs of hex digits in attributeData. Reject anything else with error.code -32602.',
      code: -32602,
      ...wrongParameters('setAttributeData', {
        'the JWT itself': { attributeData: 'e30.e30.c2ln' },
        'hex without 0x': { attributeData: '6530302e' },
        'half of a byte': { attributeData: '0x653' },
        'letters that are not hex': { attributeData: '0xzz' },
        'a letter before the hex': { attributeData: 'x0x61' },
        'a space after the hex': { attributeData: '0x61 ' },
        'a line break after the hex': { attributeData: '0x61\n' },
        'a list of bytes': { attributeData: [101, 51] },
      }),
    },
    'T95-attribute-data-is-text': {
      title: 'attributeData that is empty or not UTF-8 returns -32602',
      level: 'practice',
      rows: ['2.endpoints/tir.11', '2.errors/tir.4'],
      description:
        'The data is the text of a JWT. Bytes that are not text would be returned as something else.',
      fix: 'Decode attributeData as UTF-8. If that fails, or if it is empty, return error.code -32602.',
      code: -32602,
      ...wrongParameters('setAttributeData', {
        'no bytes in attributeData': { attributeData: '0x' },
        'a byte that no UTF-8 text has': { attributeData: '0x65ff' },
        'half a character of UTF-8': { attributeData: '0x65c3' },
        'half a surrogate pair': { attributeData: '0x65eda080' },
      }),
    },
    'T32-params-form': {
      title: 'params other than an array of one object are rejected',
      level: 'spec',
      rows: ['2.endpoints/tir.6', '2.endpoints/tir.8'],
      description: 'Of two objects one would be ignored without notice to the client.',
      fix: 'Require that params is an array with exactly one object. Reject anything else with error.code -32602 or -32600.',
      // A server may check the envelope before the parameters.
      code: [-32602, -32600],
      wrong: {
        'an object as params': sendWith((parameters) => ({ params: parameters })),
        'an object that looks like an array as params': sendWith((parameters) => ({
          params: { 0: parameters, length: 1 },
        })),
        'empty params': sendWith(() => ({ params: [] })),
        'two objects in params': sendWith((parameters) => ({ params: [parameters, parameters] })),
        'a list in params': sendWith((parameters) => ({ params: [[parameters]] })),
        'the object as text in params': sendWith((parameters) => ({
          params: [JSON.stringify(parameters)],
        })),
        'strings in params': sendWith(() => ({ params: ['did', 'from', 'from'] })),
        'null in params': sendWith(() => ({ params: [null] })),
        'a string as params': sendWith(() => ({ params: 'did' })),
        'null as params': sendWith(() => ({ params: null })),
        'no params': sendWith(() => ({ params: undefined })),
      },
    },
    'T39-no-api-key': {
      title: 'A request without an API key returns -32600 and has no effect',
      level: 'spec',
      rows: ['2.authentication.2', '2.endpoints/tir.1', '2.errors/tir.2'],
      description: 'Otherwise anyone can use the registry to access the chain.',
      fix: 'Require the header x-api-key at /v1/jsonrpc before you evaluate the method, including for batches and notifications. If it is missing, return error.code -32600.',
      code: -32600,
      wrong: {
        'no API key': sendWithKey(''),
        'the API key as Authorization': ({ context, request }) => {
          const authorization = `Bearer ${context.apiKey}`
          return context.tir.post(request, { 'x-api-key': '', authorization })
        },
        'the API key in the query': ({ context, request }) => {
          const key = context.changeApiKey(encodeURIComponent)
          const query = `?x-api-key=${key}&api_key=${key}&apiKey=${key}`
          return context.tir.post(request, { 'x-api-key': '' }, query)
        },
        'no API key, and a transaction to send': sendTransactionWithoutKey,
        'no API key, in a batch': async ({ context, request }) => {
          const answer = await context.tir.post([request], { 'x-api-key': '' })
          return { ...answer, json: [answer.json].flat()[0] }
        },
        ...withWrongKey('no API key', ''),
      },
    },
    'T40-wrong-api-key': {
      title: 'A request with a wrong API key returns -32600 and has no effect',
      level: 'spec',
      rows: ['2.authentication.2', '2.errors/tir.2'],
      description: 'A key whose value is not compared protects nothing.',
      fix: 'Validate x-api-key at the API key service before you evaluate the method. If it is unknown, return error.code -32600.',
      code: -32600,
      wrong: {
        'another API key': sendWithKey(randomBytes(24).toString('base64url')),
        'a word as API key': sendWithKey('key'),
        // Not named by its value, which reports hide.
        'JavaScript’s text of a missing value as API key': sendWithKey('undefined'),
        ...Object.fromEntries(
          nearMisses.map(({ what, change }) => [
            `the API key that ${what}`,
            sendWithChangedKey(change),
          ]),
        ),
        ...withWrongKey('another API key', randomBytes(24).toString('base64url')),
      },
    },
  },
  toCheck,
)

function toCheck({
  method = 'setAttributeData',
  code,
  wrong,
  ...texts
}: WrongCalls): CheckRow<TirContext> {
  const what = Object.keys(wrong)
  const codes = [code].flat().join(' or ')
  return {
    ...texts,
    expectation: 'refuse',
    sends: `${method} with ${what.join('; ')}.`,
    decides: `error.code ${codes}${what.length > 1 ? ' for each of them' : ''}, while the same call without the mistake returns a result.`,
    control: method,
    async run(context) {
      const correct = {
        setAttributeMetadata: await correctMetadata(context),
        setAttributeData: await correctData(context),
      }
      const request = rpcRequest(method, correct[method])
      const subject = { context, correct, request }
      const requests = Object.entries(wrong).map(
        ([what, call]) => [what, () => call(subject)] as const,
      )
      return findEachRpcError(Object.fromEntries(requests), code)
    },
  }
}
