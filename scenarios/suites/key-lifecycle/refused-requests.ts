import { createDid } from '#core/did/did-proof.ts'
import { toHex } from '#core/ethereum/account.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { createOwnIdentity, firstDocumentOf, ownPrivateKey } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  callTir,
  expectRegistryRefusal,
  expectRpcError,
} from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const malformedBody = defineScenario({
  id: 'key-lifecycle/malformed-body',
  title: 'The registry rejects a body that does not have the documented form',
  algorithms: ['EdDSA'],
  description: `
A complete first document is built: an unsigned transaction with every documented member, value 0. Then one
member at a time is missing or malformed: a \`vMethodId\` of 42 characters, a key without 0x04 or as a
JWK, a proof of 64 bytes, a validity that ends before it begins, a DID of the other environment. Each
request is answered with 400 and \`validation_error\`.`,
  references: cite(
    'Profile: 2.endpoints/did-registry',
    'Profile: 2.resources-and-their-fields/unsigned-transaction',
    'Profile: 2.limits',
  ),

  async run(context) {
    const { step, environment, now } = context
    const own = createOwnIdentity(context)
    const elsewhere = own.did.startsWith('did:org:uc-pre:') ? 'pro' : 'pre'
    const complete: Readonly<Record<string, unknown>> = {
      ...firstDocumentOf(context, own),
      from: environment.onboardingNode.address,
    }
    const build = (json: unknown) =>
      callDidRegistry(context, 'contract/insertFirstDidDocument', { json })

    await step('A complete body is built', async () => {
      const { chainId, didRegistryAddress } = environment.chain
      const { to, ...transaction } = expectJson(await build(complete), 200)
      expectIncludes('the transaction', transaction, { chainId, value: '0x0', gasPrice: '0x0' })
      const address = String(to).toLowerCase()
      expectIncludes('the receiver', { address }, { address: didRegistryAddress.toLowerCase() })
    })
    await step('No member may be missing', async () => {
      for (const name of Object.keys(complete)) {
        const { [name]: _, ...rest } = complete
        expectRegistryRefusal(await build(rest), 400, 'validation_error')
      }
    })
    await step('No member may be malformed', async () => {
      for (const changed of [
        { vMethodId: own.vMethodId.slice(1) },
        { vMethodId: `${own.vMethodId}=` },
        { publicKey: `0x${own.publicKey.slice(4)}` },
        { publicKey: own.publicKey.replace('0x04', '0x05') },
        { publicKeyType: 'JsonWebKey2020' },
        { publicKeyType: 'Ed25519' },
        { proof: own.proof.slice(0, -2) },
        { proof: own.proof.slice(2) },
        { notBefore: now(), notAfter: now() - 1 },
        { notAfter: String(now() + 1000) },
        { did: createDid(ownPrivateKey(context, 'organization'), elsewhere).did },
        { did: 'did:web:example.org' },
        { from: '0x12' },
        { baseDocument: '{"@context"' },
      ]) {
        const answer = await build({ ...complete, ...changed })
        expectRegistryRefusal(answer, 400, 'validation_error')
      }
    })
    await step('Invalid JSON is rejected too', async () => {
      const answer = await callDidRegistry(context, 'contract/insertFirstDidDocument', {
        method: 'POST',
        body: '{"did":',
        headers: { 'content-type': 'application/json' },
      })
      expectRegistryRefusal(answer, 400, 'validation_error')
    })
  },
})

const call = (method: string, params: unknown = [{}], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

const rpcErrors = defineScenario({
  id: 'key-lifecycle/rpc-errors',
  title: 'The TIR reports errors with the codes of JSON-RPC',
  algorithms: ['EdDSA'],
  description: `
A client that sends an invalid JSON-RPC request sees the reason in the code, with the id of the
request:

- \`-32700\` for invalid JSON, with the id \`null\`, as the id cannot be read,
- \`-32600\` for JSON that is not a request, and for an API key that is missing or unknown,
- \`-32601\` for a method that does not exist,
- \`-32602\` for parameters that are incomplete.

The key is checked first for each request that can be read: a client without a key cannot find out which
methods exist. A batch is answered member by member, a notification not at all.`,
  references: cite('Profile: 2.errors/tir', 'Profile: 2.authentication', 'Assumptions: A-25'),

  async run(context) {
    const { step } = context
    await step('Invalid JSON is a parse error', async () => {
      for (const body of ['{"jsonrpc":', 'hello', '']) {
        expectRpcError(await callTir(context, body), -32700, { id: null, status: 400 })
      }
    })
    await step('Without a valid key no other error is reported', async () => {
      for (const key of ['', 'not-a-key-of-this-registry', 'x'.repeat(500)]) {
        const answer = await callTir(context, call('noSuchMethod', [{}], 'mine'), key)
        expectRpcError(answer, -32600, { id: 'mine', status: 401 })
      }
    })
    await step('JSON that is not a request is an invalid request', async () => {
      const { jsonrpc: _, ...withoutVersion } = call('setAttributeData')
      expectRpcError(await callTir(context, withoutVersion), -32600)
      const ofVersionOne = { ...withoutVersion, jsonrpc: '1.0' }
      expectRpcError(await callTir(context, ofVersionOne), -32600)
      expectRpcError(await callTir(context, []), -32600, { id: null })
      expectRpcError(await callTir(context, '"hello"'), -32600, { id: null })
    })
    await step('A method that does not exist is reported', async () => {
      for (const method of ['eth_sendRawTransaction', 'setattributedata', 'constructor']) {
        expectRpcError(await callTir(context, call(method)), -32601)
      }
    })
    await step('Incomplete parameters are reported', async () => {
      for (const method of ['setAttributeMetadata', 'setAttributeData', 'sendSignedTransaction']) {
        for (const params of [[], [{}], [{ from: '0x00' }]]) {
          expectRpcError(await callTir(context, call(method, params, 'a')), -32602, { id: 'a' })
        }
      }
    })
    await step('A batch is answered member by member, a notification not at all', async () => {
      const { id: _, ...notification } = call('noSuchMethod')
      const answer = await callTir(context, [call('noSuchMethod', [{}], 7), notification])
      const { json } = expectStatus(answer, 200)
      const answers = json as readonly { id: unknown; error: { code: number } }[]
      expectTrue('there is one answer', Array.isArray(json) && answers.length === 1, json)
      expectEqual('its id', answers[0]?.id, 7)
      expectEqual('its code', answers[0]?.error.code, -32601)
      expectEqual('the body', (await callTir(context, notification)).text, '')
    })
  },
})

const tirParameters = defineScenario({
  id: 'key-lifecycle/tir-parameters',
  title: 'The TIR rejects parameters that do not have the documented form',
  algorithms: ['ES256K'],
  description: `
One complete call of \`setAttributeMetadata\` builds a transaction. Then one member at a time is missing or
changed to a value that the profile excludes: an \`issuerType\` as a number, in lower case, or \`NONE\`;
an attribute id of the wrong length or without 0x; an invalid address; a DID of the other environment.
Each call is answered with \`-32602\`.

An accreditation must be UTF-8 bytes in hex and must not be empty.`,
  references: cite(
    'Profile: 2.resources-and-their-fields/types-used-in-the-tir',
    'Profile: 2.endpoints/tir',
    'Profile: 2.limits',
  ),

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const { did, address } = createOwnIdentity(context)
    const isPre = did.startsWith('did:org:uc-pre:')
    const elsewhere = createDid(ownPrivateKey(context, 'elsewhere'), isPre ? 'pro' : 'pre').did
    const revisionId = `0x${attributeIdOf({ did })}`
    const metadata: Readonly<Record<string, unknown>> = {
      from: address,
      did,
      revisionId,
      issuerType: 'TI',
      taoDid: tao.did,
      attributeIdTao: `0x${tao.attributeId}`,
    }
    const data: typeof metadata = {
      from: address,
      did,
      attributeId: revisionId,
      attributeData: toHex(Buffer.from('a.b.c')),
    }
    const call = (method: string, params: object) =>
      callTir(context, { jsonrpc: '2.0', id: 1, method, params: [params] })

    await step('Complete calls build a transaction', async () => {
      for (const [method, params] of [
        ['setAttributeMetadata', metadata],
        ['setAttributeData', data],
      ] as const) {
        const { result } = expectJson(await call(method, params), 200)
        expectPresent(`the result of ${method}`, result as object | undefined)
      }
    })
    await step('No member may be missing', async () => {
      for (const [method, params] of [
        ['setAttributeMetadata', metadata],
        ['setAttributeData', data],
      ] as const) {
        for (const name of Object.keys(params)) {
          const { [name]: _, ...rest } = params
          expectRpcError(await call(method, rest), -32602)
        }
      }
    })
    await step('No member may be malformed', async () => {
      for (const changed of [
        { issuerType: 3 },
        { issuerType: '3' },
        { issuerType: 'ti' },
        { issuerType: 'NONE' },
        { issuerType: 'RTAO' },
        { revisionId: revisionId.slice(2) },
        { revisionId: revisionId.slice(0, -2) },
        { attributeIdTao: `0x${'zz'.repeat(32)}` },
        { from: '0x1234' },
        { did: 'did:key:z6Mkhandmade' },
        { did: elsewhere },
        { taoDid: elsewhere },
      ]) {
        const params = { ...metadata, ...changed }
        expectRpcError(await call('setAttributeMetadata', params), -32602)
      }
    })
    await step('An accreditation is UTF-8 in hex and not empty', async () => {
      for (const attributeData of ['0x', '0xc3', 'a.b.c', '0x123']) {
        const params = { ...data, attributeData }
        expectRpcError(await call('setAttributeData', params), -32602)
      }
    })
  },
})

export const scenarios = [malformedBody, rpcErrors, tirParameters]
